/** The codes of gRPC calls (https://grpc.io/docs/guides/status-codes). */
export const GrpcStatus = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const

/** The name of a status, such as `UNAVAILABLE`. */
export type GrpcStatusName = keyof typeof GrpcStatus

const names = Object.keys(GrpcStatus) as GrpcStatusName[]

/** The name of a code. A code that gRPC does not have is `UNKNOWN`, as its specification says. */
export const statusName = (code: number): GrpcStatusName => names[code] ?? 'UNKNOWN'
