// Arrays, with constant and variable indices.
int table[4] = {1, 2, 3, 4};
int main(void) {
    unsigned char grid[2][3];
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += table[i];
    grid[1][2] = 7;
    table[2] = grid[1][2];
    return sum + table[sum & 3];
}
