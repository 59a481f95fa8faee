import { type PodContainer, socketFolder } from './sidecar.js'

/**
 * The startup probe of a sidecar: it succeeds once the plugin answers at its socket, and Postgres starts only then. An
 * instance looks for sockets once, when it starts, and would never find a socket that appears later. The probe needs
 * `node` in the image of the plugin.
 */
export function socketProbe(plugin: string): NonNullable<PodContainer['startupProbe']> {
  const connect = `net.connect(${JSON.stringify(`${socketFolder}/${plugin}`)})`
  const program = `${connect}.on('connect', () => process.exit()).on('error', () => process.exit(1))`
  const command = ['node', '-e', program]
  return { exec: { command }, periodSeconds: 1, timeoutSeconds: 10, failureThreshold: 60 }
}
