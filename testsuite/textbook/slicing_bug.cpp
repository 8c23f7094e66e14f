// truth: unsafe
#include <cassert>
#include <iostream>
#include <vector>

class Animal {
public:
    virtual ~Animal() {}
    virtual int legs() const { return 0; }
};
class Dog : public Animal {
public:
    int legs() const override { return 4; }
};

int main() {
    std::vector<Animal> zoo;
    zoo.push_back(Dog());
    std::cout << zoo[0].legs() << " legs" << std::endl;
    assert(zoo[0].legs() == 4);
}
