// truth: unsafe
#include <cassert>
#include <iostream>
#include <queue>

int main() {
    std::queue<int> jobs;
    for (int i = 1; i < 3; i++) {
        jobs.push(i * 10);
    }
    int done = 0;
    while (!jobs.empty()) {
        std::cout << "job " << jobs.front() << '\n';
        done += jobs.front();
        jobs.pop();
    }
    assert(done == 60);
}
