// truth: unsafe
#include <algorithm>
#include <cassert>
#include <iostream>
#include <string>
#include <vector>

struct Student {
    std::string name;
    int grade;
};

int main() {
    std::vector<Student> students = {{"Ann", 2}, {"Bob", 1}, {"Cid", 3}};
    std::sort(students.begin(), students.end(),
              [](const Student &a, const Student &b) { return a.name < b.name; });
    for (const Student &s : students) {
        std::cout << s.name << ": " << s.grade << '\n';
    }
    assert(students[0].name == "Bob");
    assert(students[2].grade == 3);
}
