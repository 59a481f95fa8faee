import { type AddressInfo, createServer } from 'node:net'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { listenProblem } from '../../sdk/engine/kube/listen-problem.js'

/** A loopback port that no other program can use until it is released. */
export interface ReservedPort {
  readonly port: number
  /** Frees the port. */
  release(): Promise<void>
}

/**
 * Reserves a loopback port, so that its number is known before a server uses it. Connections are closed until then. 0
 * takes a free port. Throws a `PluginError` `CANNOT_LISTEN`; `flag` is the option that chooses another port.
 */
export async function reservePort(port: number, flag: string): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portTakenError(port, flag, cause)))
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: freePort } = server.address() as AddressInfo
  return { port: freePort, release: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Throws a `PluginError` `CANNOT_LISTEN` if a port is in use: a program that takes it itself would only warn. */
export async function checkPort(port: number, flag: string): Promise<void> {
  const reserved = await reservePort(port, flag)
  await reserved.release()
}

function portTakenError(port: number, flag: string, cause: Error): PluginError {
  const { code } = cause as NodeJS.ErrnoException
  const message =
    code === 'EADDRINUSE'
      ? `port ${port} is in use; stop the program that listens on it, or choose another port with ${flag}`
      : `cannot listen on port ${port}: ${listenProblem(cause)}; choose another port with ${flag}`
  return new PluginError('CANNOT_LISTEN', message, { cause })
}
