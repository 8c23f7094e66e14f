// truth: safe
#include <cassert>
#include <iomanip>
#include <iostream>

int main() {
    const char *names[] = {"pens", "paper", "ink"};
    double prices[] = {1.5, 3.25, 12.0};
    double total = 0;
    for (int i = 0; i < 3; i++) {
        std::cout << std::left << std::setw(10) << names[i] << std::right << std::setw(8) << std::fixed
                  << std::setprecision(2) << prices[i] << std::endl;
        total += prices[i];
    }
    std::cout << std::setfill('-') << std::setw(18) << "" << '\n' << "total " << total << '\n';
    assert(total == 16.75);
}
