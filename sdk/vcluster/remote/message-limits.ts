/**
 * The limits of a plugin's gRPC servers. A call contains one object, and an API server accepts no object larger than 3
 * MiB; `Initialize` carries the configuration of the vcluster, which is a part of a Helm release and therefore below 1
 * MiB. A larger message is refused with `RESOURCE_EXHAUSTED` before it is read. The size of hook results is limited in
 * `hook/`.
 */
export const messageLimits = {
  'grpc.max_receive_message_length': 8 * 2 ** 20,
  'grpc.max_send_message_length': -1,
} as const
