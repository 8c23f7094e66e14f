// Members of local and global structures, nested, assigned as a whole.
struct point { int x, y; };
struct circle { struct point centre; unsigned radius; };
struct circle big = {{1, 2}, 30};
int main(void) {
    struct point p = {3, 4};
    struct circle c;
    c.centre = p;
    c.radius = big.radius;
    c.centre.x += 5;
    big = c;
    return big.centre.x;
}
