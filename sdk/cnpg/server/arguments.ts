import yargs from 'yargs'
import { PluginError } from '../../kube/error.js'
import type { ListenOptions } from './server-options.js'

/** The options in the command line and the environment. */
export interface PluginArguments {
  readonly listen: ListenOptions
  /** The address of the admission webhooks, `host:port`; undefined for none. */
  readonly webhookAddress: string | undefined
  readonly isDebug: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** The folder that the operator and the instances look into. */
const defaultFolder = '/plugins'

const texts = {
  'plugin-path': 'folder of the socket',
  'server-address': 'address to listen on, host:port, instead of a socket',
  'server-cert': 'file with the certificate of the server',
  'server-key': 'file with its key',
  'client-ca': "file with the authority of the operator's certificate",
  'client-cert': 'another name of --client-ca',
  'webhook-address': 'address of the admission webhooks, host:port',
} as const

/** The environment variable of a flag, for example `SERVER_ADDRESS` of `--server-address`. */
const variableOf = (flag: string) => flag.toUpperCase().replaceAll('-', '_')

/**
 * Reads the flags of a CNPG-I plugin and, where a flag is missing, its environment variable: `--server-address` or
 * `SERVER_ADDRESS`. Throws `PluginError` `INVALID_ADDRESS` if they do not fit together.
 */
export function readArguments(args: readonly string[], env: Environment): PluginArguments {
  const flags = Object.fromEntries(
    Object.entries(texts).map(([flag, describe]) => [flag, { type: 'string', describe } as const]),
  )
  const parsed: Record<string, unknown> = yargs([...args])
    .options(flags)
    .option('debug', { type: 'boolean', describe: 'log at level debug' })
    .help(false)
    .version(false)
    .exitProcess(false)
    .parseSync()
  const textOf = (flag: keyof typeof texts) => {
    const value = parsed[flag] ?? env[variableOf(flag)]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    listen: listenOptions(textOf),
    webhookAddress: textOf('webhook-address'),
    isDebug: parsed.debug === true,
  }
}

function listenOptions(textOf: (flag: keyof typeof texts) => string | undefined): ListenOptions {
  const address = textOf('server-address')
  const folder = textOf('plugin-path')
  if (address && folder)
    throw invalid(
      '--plugin-path and --server-address exclude each other: a plugin listens on a socket or on an address',
    )
  if (!address) return { socketFolder: folder ?? defaultFolder }
  const [certificate, key] = [textOf('server-cert'), textOf('server-key')]
  const clientAuthority = textOf('client-ca') ?? textOf('client-cert')
  if (!certificate || !key || !clientAuthority)
    throw invalid(
      '--server-address needs --server-cert, --server-key and --client-ca: the operator speaks mutual TLS only',
    )
  return { address, tls: { certificate, key, clientAuthority } }
}

const invalid = (message: string) => new PluginError('INVALID_ADDRESS', message)
