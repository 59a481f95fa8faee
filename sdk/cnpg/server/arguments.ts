import { parseArgs } from 'node:util'
import type { Environment } from '../../engine/kube/environment.js'
import { PluginError } from '../../engine/kube/error.js'
import type { ListenOptions } from './server-options.js'

/** The options in the command line and the environment. */
export interface PluginArguments {
  readonly listen: ListenOptions
  /** The address of the admission webhooks, `host:port`; undefined for none. */
  readonly webhookAddress: string | undefined
  readonly isDebug: boolean
}

/** The folder that the operator and the instances look into. */
const defaultFolder = '/plugins'

const flags = [
  'plugin-path',
  'server-address',
  'server-cert',
  'server-key',
  'client-ca',
  'client-cert',
  'webhook-address',
] as const
type Flag = (typeof flags)[number]

/** The environment variable of a flag, for example `SERVER_ADDRESS` of `--server-address`. */
const variableOf = (flag: string) => flag.toUpperCase().replaceAll('-', '_')

/**
 * Reads the flags of a CNPG-I plugin and, where a flag is missing, its environment variable: `--server-address` or
 * `SERVER_ADDRESS`. Other flags are left to the program. Throws `PluginError` `INVALID_ADDRESS` if they do not fit
 * together.
 */
export function readArguments(args: readonly string[], env: Environment): PluginArguments {
  const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'string' } as const]))
  const { values } = parseArgs({
    args: [...args],
    options: { ...options, debug: { type: 'boolean' } },
    strict: false,
    allowPositionals: true,
  })
  const textOf = (flag: Flag) => {
    const value = values[flag] ?? env[variableOf(flag)]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    listen: listenOptions(textOf),
    webhookAddress: textOf('webhook-address'),
    isDebug: values.debug === true,
  }
}

function listenOptions(textOf: (flag: Flag) => string | undefined): ListenOptions {
  const [address, folder] = [textOf('server-address'), textOf('plugin-path')]
  const [certificate, key] = [textOf('server-cert'), textOf('server-key')]
  const clientAuthority = textOf('client-ca') ?? textOf('client-cert')
  if (address && folder)
    throw invalidAddressError(
      '--plugin-path and --server-address exclude each other: a plugin listens on a socket or on an address',
    )
  if (!address && (certificate || key || clientAuthority))
    throw invalidAddressError(
      'certificates were given without --server-address: a socket has no certificates',
    )
  if (!address) return { socketFolder: folder ?? defaultFolder }
  if (!certificate || !key || !clientAuthority)
    throw invalidAddressError(
      '--server-address needs --server-cert, --server-key and --client-ca: the operator speaks mutual TLS only',
    )
  return { address, tls: { certificate, key, clientAuthority } }
}

const invalidAddressError = (message: string) => new PluginError('INVALID_ADDRESS', message)
