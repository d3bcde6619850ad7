#define _GNU_SOURCE
#include "baseline.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/* Reads one request; 0 when there is none, or it is none. */
static int read_request(int connection, char *buffer, size_t size) {
    size_t held = 0;
    char *end = NULL;
    while (end == NULL) {
        ssize_t count = held < size - 1 ? read(connection, buffer + held, size - 1 - held) : 0;
        if (count <= 0) return 0;
        held += (size_t)count;
        buffer[held] = 0;
        end = strstr(buffer, "\r\n\r\n");
    }
    const char *field = strcasestr(buffer, "\r\nContent-Length:");
    size_t length = field != NULL && field < end ? strtoul(field + 17, NULL, 10) : 0;
    size_t taken = held - (size_t)(end + 4 - buffer);
    while (taken < length) {
        ssize_t count = read(connection, buffer, size);
        if (count <= 0) return 0;
        taken += (size_t)count;
    }
    return 1;
}

static void *serve(void *argument) {
    int connection = (int)(intptr_t)argument, yes = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    size_t size = 1 << 18;
    char *buffer = malloc(size);
    while (buffer != NULL && read_request(connection, buffer, size) &&
           write(connection, answer, sizeof answer - 1) == sizeof answer - 1) {
    }
    free(buffer);
    close(connection);
    return NULL;
}

static void detach(void *(*body)(void *), int descriptor) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, (void *)(intptr_t)descriptor) == 0)
        pthread_detach(thread);
    else
        close(descriptor);
}

static void *listen_for_connections(void *argument) {
    int listener = (int)(intptr_t)argument, connection;
    while ((connection = accept(listener, NULL, NULL)) >= 0) detach(serve, connection);
    close(listener);
    return NULL;
}

int baseline_server_start(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (listener < 0) return -1;
    if (bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 8) == 0 &&
        getsockname(listener, (struct sockaddr *)&address, &size) == 0) {
        detach(listen_for_connections, listener);
        return ntohs(address.sin_port);
    }
    close(listener);
    return -1;
}
