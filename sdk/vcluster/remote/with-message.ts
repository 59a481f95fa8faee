import { GrpcError } from '../../engine/grpc/grpc-error.js'
import { GrpcStatus } from '../../engine/grpc/status.js'

/** The result of some work. The vcluster process gets the message of an error, which it logs and writes to Events. */
export async function withMessage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new GrpcError(GrpcStatus.UNKNOWN, error instanceof Error ? error.message : String(error))
  }
}
