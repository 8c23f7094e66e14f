// truth: unsafe
#include <cassert>
#include <iostream>
#include <vector>

using Matrix = std::vector<std::vector<int>>;

Matrix transpose(const Matrix &m) {
    Matrix t(m[0].size(), std::vector<int>(m.size()));
    for (std::size_t i = 0; i < m.size(); i++) {
        for (std::size_t j = 0; j < m[i].size(); j++) {
            t[j][i] = m[i][0];
        }
    }
    return t;
}

int main() {
    Matrix m = {{1, 2, 3}, {4, 5, 6}};
    Matrix t = transpose(m);
    std::cout << t.size() << " rows\n";
    assert(t.size() == 3 && t[0].size() == 2);
    assert(t[2][1] == 6 && t[0][1] == 4);
}
