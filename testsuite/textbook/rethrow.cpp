// truth: safe
#include <cassert>
#include <stdexcept>

int log_count = 0;

void inner() { throw std::out_of_range("index"); }

void middle() {
    try {
        inner();
    } catch (...) {
        log_count++;
        throw;
    }
}

int main() {
    int kind = 0;
    try {
        middle();
    } catch (const std::out_of_range &) {
        kind = 1;
    } catch (const std::exception &) {
        kind = 2;
    }
    assert(log_count == 1 && kind == 1);
}
