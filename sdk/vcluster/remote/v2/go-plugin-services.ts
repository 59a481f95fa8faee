import { Metadata, type Server, type ServerWritableStream, status } from '@grpc/grpc-js'
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  HealthService,
  ServingStatus,
} from '../../../engine/health/proto/gen/health.js'
import {
  Channel,
  GRPCBrokerService,
  GRPCControllerService,
  GRPCStdioService,
  type StdioData,
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
export function addGoPluginServices(server: Server, { streams, onGone }: GoPluginServicesOptions): void {
  const leaving = () => onGone('the vcluster process has closed the connection')
  server.addService(HealthService, { check, watch, list: unimplemented })
  server.addService(GRPCStdioService, {
    streamStdio(call: ServerWritableStream<unknown, StdioData>) {
      // Sent at once; otherwise the other side would learn only with the first line that the stream is served.
      call.sendMetadata(new Metadata())
      const stop = streams.read((data) => call.write({ channel: Channel.STDOUT, data: Buffer.from(data) }))
      call.once('cancelled', () => {
        stop()
        leaving()
      })
    },
  })
  server.addService(GRPCBrokerService, {
    startStream(call: NodeJS.EventEmitter & { resume(): void }) {
      call.on('error', () => {})
      call.once('cancelled', leaving)
      call.resume()
    },
  })
  server.addService(GRPCControllerService, {
    shutdown(_call: unknown, reply: (error: null, answer: object) => void) {
      reply(null, {})
      onGone('the vcluster process has asked it to')
    },
  })
}

type Check = { request: HealthCheckRequest }
type Reply = (error: { code: status; details: string } | null, answer?: HealthCheckResponse) => void

const knows = ({ request }: Check) => ['', 'plugin'].includes(request.service)

function check(call: Check, reply: Reply): void {
  if (knows(call)) reply(null, { status: ServingStatus.SERVING })
  else reply({ code: status.NOT_FOUND, details: 'unknown service' })
}

function watch(call: ServerWritableStream<HealthCheckRequest, HealthCheckResponse>): void {
  call.write({ status: knows(call) ? ServingStatus.SERVING : ServingStatus.SERVICE_UNKNOWN })
}

function unimplemented(_call: unknown, reply: Reply): void {
  reply({ code: status.UNIMPLEMENTED, details: 'not served' })
}
