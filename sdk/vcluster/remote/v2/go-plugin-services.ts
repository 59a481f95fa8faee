import { GrpcError } from '../../../engine/grpc/grpc-error.js'
import type { GrpcCall, GrpcServer } from '../../../engine/grpc/server.js'
import { GrpcStatus } from '../../../engine/grpc/status.js'
import {
  type HealthCheckRequest,
  HealthDefinition,
  ServingStatus,
} from '../../../engine/health/proto/gen/health.js'
import {
  Channel,
  GRPCBrokerDefinition,
  GRPCControllerDefinition,
  GRPCStdioDefinition,
} from '../proto/gen/go-plugin.js'
import type { StandardStreams } from './standard-streams.js'

/** Options of {@link addGoPluginServices}. */
export interface GoPluginServicesOptions {
  streams: StandardStreams
  /**
   * Called when the parent process has ended or asked the program to end, with the reason as the end of a
   * sentence "… because".
   */
  onGone(reason: string): void
}

/**
 * Adds the services that github.com/hashicorp/go-plugin expects of a program in addition to the plugin's own service
 * (grpc_server.go @ v1.6.0). The stdio and the broker stream are opened right after the connection and stay open as
 * long as the connection.
 */
export function addGoPluginServices(server: GrpcServer, { streams, onGone }: GoPluginServicesOptions): void {
  const leaving = () => onGone('the vcluster process has closed the connection')
  server.serve(HealthDefinition, {
    check: (request) => {
      if (isKnown(request)) return { status: ServingStatus.SERVING }
      throw new GrpcError(GrpcStatus.NOT_FOUND, 'unknown service')
    },
    watch: (request, stream) =>
      stream.send({ status: isKnown(request) ? ServingStatus.SERVING : ServingStatus.SERVICE_UNKNOWN }),
  })
  server.serve(GRPCStdioDefinition, {
    streamStdio(_request, stream) {
      // Sent at once; otherwise the other side would learn only with the first line that the stream is served.
      stream.open()
      const stop = streams.read((data) => stream.send({ channel: Channel.STDOUT, data: Buffer.from(data) }))
      onEnd(stream, () => {
        stop()
        leaving()
      })
    },
  })
  server.serve(GRPCBrokerDefinition, { startStream: (_requests, stream) => onEnd(stream, leaving) })
  server.serve(GRPCControllerDefinition, {
    shutdown() {
      // The answer is sent before the program ends.
      setImmediate(() => onGone('the vcluster process has asked it to'))
      return {}
    },
  })
}

const isKnown = ({ service }: HealthCheckRequest) => ['', 'plugin'].includes(service)

function onEnd({ signal }: GrpcCall, listener: () => void): void {
  if (signal.aborted) listener()
  else signal.addEventListener('abort', listener, { once: true })
}
