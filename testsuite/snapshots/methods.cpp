// A class with a virtual function, a reference and a destructor.
struct Animal {
    int age;
    explicit Animal(int age) : age(age) {}
    virtual ~Animal() {}
    virtual int noise() const { return age; }
};
struct Dog : Animal {
    using Animal::Animal;
    int noise() const override { return age * 7; }
};
static int listen(const Animal &animal) { return animal.noise(); }
int main() {
    Dog dog(3);
    return listen(dog);
}
