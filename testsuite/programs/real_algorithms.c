/* Numerical algorithms: elimination, integration, a generator, matrices of floats, Newton's method. */
#include "check.h"
#include <math.h>

static int solve(double a[3][4], double x[3]) {
    for (int k = 0; k < 3; k++) {
        int pivot = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (fabs(a[pivot][k]) < 1e-9)
            return 0;
        for (int j = 0; j < 4; j++) {
            double t = a[k][j];
            a[k][j] = a[pivot][j], a[pivot][j] = t;
        }
        for (int i = k + 1; i < 3; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < 4; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = 2; i >= 0; i--) {
        x[i] = a[i][3];
        for (int j = i + 1; j < 3; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
    return 1;
}

static double simpson(double (*f)(double), double from, double to, int n) {
    double h = (to - from) / n, s = f(from) + f(to);
    for (int i = 1; i < n; i++)
        s += f(from + i * h) * (i & 1 ? 4 : 2);
    return s * h / 3;
}
static double bell(double x) { return 1 / (1 + x * x); }
static double cubic(double x) { return x * x * x - 2 * x - 5; }

static float matrix_power(float m[2][2], int n) {
    float r[2][2] = {{1, 0}, {0, 1}};
    while (n--) {
        float t[2][2];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                t[i][j] = r[i][0] * m[0][j] + r[i][1] * m[1][j];
        __builtin_memcpy(r, t, sizeof r);
    }
    return r[0][1];
}

int main(void) {
    unsigned n = input() % 1000;
    double a[3][4] = {{2, 1, -1, n}, {-3, -1, 2, -11}, {-2, 1, 2, n * 0.5}}, x[3];
    int solved = solve(a, x);
    result((unsigned)solved);
    for (int i = 0; solved && i < 3; i++)
        result_double(x[i]);
    result_double(simpson(bell, 0, 1 + n * 0.01, 20)), result_double(simpson(cubic, -1, 2, 10));
    double root = 2;
    for (int i = 0; i < 8; i++)
        root -= cubic(root) / (3 * root * root - 2);
    result_double(root);
    float m[2][2] = {{1, 1}, {1, 0.5f * (float)(n & 3)}};
    result_double(matrix_power(m, 12));
    double mean = 0, spread = 0;
    for (unsigned i = 1; i <= 10; i++) {
        double value = (double)((n * i * 7919) % 1009), d = value - mean;
        mean += d / i, spread += d * (value - mean);
    }
    result_double(mean), result_double(sqrt(spread / 9));
    return 0;
}
