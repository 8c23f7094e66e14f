/* Graph algorithms: breadth-first search, shortest paths, union-find, topological order. */
#include "check.h"
#include <string.h>

enum { N = 8, FAR = 1000000 };
static int weight[N][N];
static int parent[N];

static int find(int x) {
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

static int reach(int from) {
    int queue[N], head = 0, tail = 0, seen = 0;
    queue[tail++] = from, seen |= 1 << from;
    while (head < tail) {
        int v = queue[head++];
        for (int w = 0; w < N; w++)
            if (weight[v][w] < FAR && !(seen >> w & 1))
                queue[tail++] = w, seen |= 1 << w;
    }
    return seen;
}

static void shortest(int from, int *distance) {
    _Bool done[N] = {0};
    for (int i = 0; i < N; i++)
        distance[i] = i == from ? 0 : FAR;
    for (int round = 0; round < N; round++) {
        int best = -1;
        for (int i = 0; i < N; i++)
            if (!done[i] && (best < 0 || distance[i] < distance[best]))
                best = i;
        done[best] = 1;
        for (int i = 0; i < N; i++)
            if (distance[best] + weight[best][i] < distance[i])
                distance[i] = distance[best] + weight[best][i];
    }
}

int main(void) {
    unsigned seed = input();
    int edges = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            seed = seed * 1664525u + 1013904223u;
            weight[i][j] = seed >> 29 < 2 ? (int)(seed >> 8 & 63) + 1 : FAR;
            edges += weight[i][j] < FAR;
        }
    result((unsigned)edges), result((unsigned)reach(0));
    int distance[N], all[N][N];
    shortest(0, distance);
    memcpy(all, weight, sizeof all);
    for (int i = 0; i < N; i++)
        all[i][i] = 0;
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (all[i][k] + all[k][j] < all[i][j])
                    all[i][j] = all[i][k] + all[k][j];
    result(memcmp(distance, all[0], sizeof distance) == 0);
    for (int i = 0; i < N; i++)
        result((unsigned)distance[i]), parent[i] = i;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (weight[i][j] < FAR)
                parent[find(i)] = find(j);
    int groups = 0;
    for (int i = 0; i < N; i++)
        groups += find(i) == i;
    result((unsigned)groups);
    return 0;
}
