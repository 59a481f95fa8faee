/**
 * The largest request of a plugin's gRPC servers, in bytes. A call contains one object, and an API server accepts no
 * object larger than 3 MiB; `Initialize` carries the configuration of the vcluster, which is a part of a Helm release
 * and therefore below 1 MiB. A larger message is refused with `RESOURCE_EXHAUSTED` before it is read. The size of hook
 * results is limited in `hook/`.
 */
export const maxRequestBytes = 8 * 2 ** 20
