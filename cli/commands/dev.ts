import type { Argv, CommandModule, Options } from 'yargs'
import type { RealOptions } from '../clusters/cluster-options.js'
import { parseFaults } from '../clusters/faults.js'
import type { DevOptions } from '../dev/dev-options.js'
import { UsageError } from '../terminal/usage-error.js'
import { booleanFlag, textFlag } from './flags.js'
import { modeOption, parseMode } from './plugin-mode.js'

interface DevArguments {
  folder: string
  dir: string
  name: string
  namespace: string | undefined
  mode: string
  kubeconfig: string | undefined
  context: string | undefined
  virtual: string | undefined
  createNamespace: boolean
  deleteOrphans: boolean
  once: boolean
  noWatch: boolean
  seed: string | undefined
  faults: string | undefined
  inspect: number | undefined
  asAdmin: boolean
  verbose: boolean
  virtualPort: number
  hostPort: number
  vclusterPort: number
}

const notes = `On a terminal a letter and Enter do something: r restarts the plugin, o opens the inspector, q stops everything.
Colours are left out when NO_COLOR is set or the output is no terminal.
Ctrl-C stops everything; a second one at once. SIGUSR2 restarts the vcluster process.`

/** `vcluster-plugin dev FOLDER`: runs a plugin against two embedded clusters, with nothing else installed. */
export const devCommand: CommandModule<object, DevArguments> = {
  command: 'dev [folder]',
  describe: 'Run a plugin against two clusters, embedded or real, and show what it mirrors',
  builder: options,
  async handler(args) {
    const { runDev } = await import('../dev/run-dev.js')
    await runDev(checked(args))
  },
}

function options(yargs: Argv): Argv<DevArguments> {
  const plain = yargs
    .positional('folder', { type: 'string', default: '.', describe: "The plugin's folder" })
    .options({
      dir: textFlag('Where the kubeconfigs of embedded clusters are written', {
        default: '.vcluster-plugin',
      }),
      name: textFlag('Name of the vcluster', { default: 'dev', alias: 'vcluster-name' }),
      namespace: {
        ...textFlag('Its host namespace, which copies go to'),
        alias: 'n',
        defaultDescription: 'vcluster-<name>',
      },
      mode: modeOption({ default: 'sidecar' }),
      once: booleanFlag('Mirror the samples, print a summary and end'),
      'no-watch': booleanFlag('Do not restart the plugin when its source changes'),
      seed: textFlag("The objects to begin with, in place of the folder's samples.yaml"),
      faults: textFlag('What goes wrong for the plugin, some of latency=50ms,errors=5%,cut=30s'),
      inspect: {
        ...port('Let a debugger attach to the plugin on this port; 0 takes a free one'),
        default: undefined,
        defaultDescription: 'none',
      },
      'as-admin': booleanFlag(
        'Let the plugin do everything on the embedded host, not only what manifest prints',
      ),
      verbose: booleanFlag("Show all of the plugin's log, not only warnings and errors"),
    })
  return withPorts(withClusters(plain))
    .example('$0 dev examples/sync-all-configmaps', 'mirror ConfigMaps until Ctrl-C')
    .example('$0 dev . --seed objects.yaml --inspect 9229', 'with objects of your own, under the debugger')
    .example('$0 dev . --mode in-syncer', 'as a program that vcluster starts in its own container')
    .example('$0 dev . --faults latency=50ms,errors=5%,cut=30s', 'on clusters that are slow, err and hang up')
    .example('$0 dev . --context kind-kind --create-namespace', 'with its copies in a real host cluster')
    .example('$0 dev . --once', 'prove in a pipeline that the plugin mirrors its samples')
    .epilogue(notes) as unknown as Argv<DevArguments>
}

function withClusters(yargs: Argv): Argv {
  return yargs.options({
    kubeconfig: {
      ...textFlag('A real host cluster, by its kubeconfig'),
      defaultDescription: "kubectl's, with --context",
    },
    context: { ...textFlag('A real host cluster, by its context'), defaultDescription: 'the current one' },
    virtual: {
      ...textFlag('A real virtual cluster, by its kubeconfig; the host must be real, too'),
      defaultDescription: 'an embedded one',
    },
    'delete-orphans': booleanFlag(
      'Let the plugin delete copies that have no original in the real virtual cluster',
    ),
    'create-namespace': booleanFlag('Make the host namespace in a real cluster that does not have it'),
  })
}

function withPorts(yargs: Argv): Argv {
  return yargs.options({
    'virtual-port': port("Port of the virtual cluster's API server"),
    'host-port': port("Port of the host cluster's API server"),
    'vcluster-port': port('Port on which the vcluster process waits for plugins'),
  })
}

const port = (describe: string): Options => ({
  type: 'number',
  default: 0,
  defaultDescription: 'a free one',
  requiresArg: true,
  describe,
})

const maxPort = 65_535

function checked({ name, noWatch, mode, faults, ...args }: DevArguments): DevOptions {
  const { once, virtualPort, hostPort, vclusterPort, inspect, namespace: targetNamespace } = args
  for (const port of [virtualPort, hostPort, vclusterPort, inspect ?? 0]) {
    if (!Number.isInteger(port) || port < 0 || port > maxPort)
      throw new UsageError(`A port is a whole number up to ${maxPort}`)
  }
  // The name of a Service, which the vcluster's is, is a DNS label.
  checkLabel('--name', name, /^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/)
  if (targetNamespace !== undefined)
    checkLabel('--namespace', targetNamespace, /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
  const { folder, dir, seed, verbose, asAdmin } = args
  return {
    ...{ folder, dir, seed, verbose, asAdmin, once, virtualPort, hostPort, vclusterPort, inspect },
    vclusterName: name,
    targetNamespace: targetNamespace ?? `vcluster-${name}`,
    mode: parseMode(mode),
    watch: !noWatch && !once,
    real: realOf(args, faults),
    faults: faults === undefined ? {} : parseFaults(faults),
  }
}

function checkLabel(flag: string, value: string, label: RegExp): void {
  if (!label.test(value))
    throw new UsageError(`${flag} ${value} cannot be: use lower-case letters, digits and "-"`)
}

function realOf(args: RealOptions, faults: string | undefined): RealOptions | undefined {
  const { kubeconfig, context, virtual, createNamespace, deleteOrphans } = args
  const isReal = kubeconfig !== undefined || context !== undefined
  if (!isReal && (virtual !== undefined || createNamespace)) {
    const flag = virtual === undefined ? '--create-namespace' : '--virtual'
    throw new UsageError(`${flag} needs a real host cluster; name it by --kubeconfig, --context or both`)
  }
  if (virtual !== undefined && faults !== undefined)
    throw new UsageError('--faults needs an embedded cluster; leave out --virtual')
  return isReal ? { kubeconfig, context, virtual, createNamespace, deleteOrphans } : undefined
}
