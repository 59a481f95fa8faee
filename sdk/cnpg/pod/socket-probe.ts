import { type PodContainer, socketFolder } from './sidecar.js'

/**
 * The startup probe of a sidecar: whether a plugin answers at its socket. Postgres starts only then. An instance looks
 * for sockets once, when it starts, and would never find one that appears later. The image of a plugin has `node`.
 */
export function socketProbe(plugin: string): NonNullable<PodContainer['startupProbe']> {
  const connect = `net.connect(${JSON.stringify(`${socketFolder}/${plugin}`)})`
  const program = `${connect}.on('connect', () => process.exit()).on('error', () => process.exit(1))`
  const command = ['node', '-e', program]
  return { exec: { command }, periodSeconds: 1, timeoutSeconds: 10, failureThreshold: 60 }
}
