// truth: unsafe
#include <cassert>
#include <iostream>
#include <vector>

double average(const std::vector<int> &values) {
    int sum = 0;
    for (int v : values) {
        sum += v;
    }
    return sum / static_cast<int>(values.size());
}

int main() {
    std::vector<int> grades = {1, 2, 2};
    double mean = average(grades);
    std::cout << "mean " << mean << std::endl;
    assert(mean > 1.6 && mean < 1.7);
}
