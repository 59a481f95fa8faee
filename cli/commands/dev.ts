import type { Argv, CommandModule, Options } from 'yargs'
import type { RealOptions } from '../clusters/cluster-options.js'
import { parseClusterFaults } from '../clusters/faults.js'
import type { DevOptions } from '../dev/dev-options.js'
import { UsageError } from '../terminal/usage-error.js'
import { checkWholeNumber } from '../terminal/whole-number.js'
import { booleanFlag, type Examples, type FlagTable, textFlag } from './flags.js'
import { checkLabel } from './names.js'
import { modeOption, parseMode } from './plugin-mode.js'

interface DevArguments {
  folder: string
  dir: string
  state: string | undefined
  name: string
  namespace: string | undefined
  mode: string | undefined
  kubeconfig: string | undefined
  context: string | undefined
  virtual: string | undefined
  createNamespace: boolean
  deleteOrphans: boolean
  once: boolean
  noWatch: boolean
  samples: string | undefined
  faults: string | undefined
  inspect: number | undefined
  asAdmin: boolean
  verbose: boolean
  virtualPort: number
  hostPort: number
  vclusterPort: number
}

const notes = `On a terminal, type a letter and Enter: r restarts the program, o opens the inspector, p pauses the output, "f TEXT" shows
only lines with a text, c clears the terminal, q stops everything.
Programs of Modules that package.json lists in vcluster-plugin.programs are built for an operator that loads them, and again
after each change.
Ctrl-C stops everything in order; a second Ctrl-C stops at once. SIGUSR2 restarts the vcluster process.`

/** A flag with the number of a port. */
const port = (describe: string): Options => ({
  type: 'number',
  default: 0,
  defaultDescription: 'a free one',
  requiresArg: true,
  describe,
})

const programFlags: FlagTable = {
  dir: textFlag('Folder for the kubeconfigs of embedded clusters', {
    default: '.vcluster-plugin',
  }),
  state: textFlag('Folder that keeps the objects of embedded clusters for the next run', {
    defaultDescription: 'none',
  }),
  name: textFlag('Name of the vcluster', { default: 'dev', alias: 'vcluster-name' }),
  namespace: {
    ...textFlag("The vcluster's host namespace, for the copies"),
    alias: 'n',
    defaultDescription: 'vcluster-<name>',
  },
  mode: modeOption({ defaultDescription: 'sidecar; in-syncer for a plugin with interceptors' }),
  once: booleanFlag('Mirror the samples, print a summary and exit'),
  'no-watch': booleanFlag('Do not restart the program when its source changes'),
  samples: textFlag(
    "File with the samples instead of the folder's samples.yaml; for a CNPG plugin also a folder",
  ),
  faults: textFlag("Faults in the program's requests, any of latency=50ms,errors=5%,cut=30s"),
  inspect: {
    ...port('Port on which a debugger can attach to the program; 0 takes a free one'),
    default: undefined,
    defaultDescription: 'none',
  },
  'as-admin': booleanFlag(
    'Give the plugin all permissions on the embedded host, not only those that manifest prints',
  ),
  verbose: booleanFlag("Show the program's whole log, not only warnings and errors"),
}

const clusterFlags: FlagTable = {
  kubeconfig: {
    ...textFlag('Kubeconfig of a real host cluster'),
    defaultDescription: "kubectl's, if --context is set",
  },
  context: { ...textFlag('Context of a real host cluster'), defaultDescription: 'the current one' },
  virtual: {
    ...textFlag('Kubeconfig of a real virtual cluster; the host must be real as well'),
    defaultDescription: 'an embedded one',
  },
  'delete-orphans': booleanFlag(
    'Let the plugin delete copies without an original in the real virtual cluster',
  ),
  'create-namespace': booleanFlag('Create the host namespace in a real cluster if it does not exist'),
}

const portFlags: FlagTable = {
  'virtual-port': port("Port of the virtual cluster's API server"),
  'host-port': port("Port of the host cluster's API server"),
  'vcluster-port': port('Port of the vcluster process, for plugins'),
}

const examples: Examples = [
  ['$0 dev examples/sync-all-configmaps', 'mirror ConfigMaps'],
  ['$0 dev . --samples objects.yaml --inspect 9229', 'under the debugger'],
  ['$0 dev . --context kind-kind --create-namespace', 'in a real host cluster'],
  ['$0 dev examples/memcached', 'an operator'],
  ['$0 dev examples/cnpg-hello-world', 'a CNPG plugin'],
  ['$0 dev . --once', 'in CI'],
]

/** `vcluster-plugin dev FOLDER`: runs a plugin against two embedded clusters; nothing else has to be installed. */
export const devCommand: CommandModule<object, DevArguments> = {
  command: 'dev [folder]',
  describe:
    'Run a plugin against two clusters, embedded or real, and show each copy; or an operator on one; or a CNPG plugin',
  builder: options,
  async handler(args) {
    const { runDev } = await import('../dev/run-dev.js')
    await runDev(checkedOptions(args))
  },
}

function options(yargs: Argv): Argv<DevArguments> {
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The program's folder" })
    .options({ ...programFlags, ...clusterFlags, ...portFlags })
    .example(examples)
    .epilogue(notes) as unknown as Argv<DevArguments>
}

const maxPort = 65_535

/** The options of a call. Throws `UsageError` for values that exclude each other or that have a wrong form. */
function checkedOptions({ name, noWatch, mode, faults, ...args }: DevArguments): DevOptions {
  const { folder, dir, state, samples, verbose, asAdmin, once, namespace: targetNamespace } = args
  checkVClusterName(name)
  if (targetNamespace !== undefined) checkLabel('--namespace', targetNamespace)
  return {
    folder,
    dir,
    state,
    samples,
    verbose,
    asAdmin,
    once,
    ...checkedPortOptions(args),
    vclusterName: name,
    targetNamespace: targetNamespace ?? `vcluster-${name}`,
    mode: mode === undefined ? undefined : parseMode(mode),
    watch: !noWatch && !once,
    real: realOf(args, faults),
    faults: faults === undefined ? {} : parseClusterFaults(faults),
  }
}

type Ports = Pick<DevOptions, 'virtualPort' | 'hostPort' | 'vclusterPort' | 'inspect'>

function checkedPortOptions({ virtualPort, hostPort, vclusterPort, inspect }: Ports): Ports {
  const ports = {
    '--virtual-port': virtualPort,
    '--host-port': hostPort,
    '--vcluster-port': vclusterPort,
    '--inspect': inspect ?? 0,
  }
  for (const [flag, port] of Object.entries(ports)) checkWholeNumber(flag, port, { min: 0, max: maxPort })
  return { virtualPort, hostPort, vclusterPort, inspect }
}

/** A vcluster's name is the name of its Service, and part of the names of its copies. */
function checkVClusterName(name: string): void {
  if (/^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/.test(name)) return
  const rule = 'use at most 50 lower-case letters, digits and "-", beginning with a letter'
  throw new UsageError(`--name is ${JSON.stringify(name)}: ${rule}`)
}

function realOf(args: RealOptions, faults: string | undefined): RealOptions | undefined {
  const { kubeconfig, context, virtual, createNamespace, deleteOrphans } = args
  const isReal = kubeconfig !== undefined || context !== undefined
  if (!isReal && (virtual !== undefined || createNamespace)) {
    const flag = virtual === undefined ? '--create-namespace' : '--virtual'
    throw new UsageError(`${flag} needs a real host cluster; add --kubeconfig or --context`)
  }
  if (virtual !== undefined && faults !== undefined)
    throw new UsageError('--faults needs an embedded virtual cluster; remove --virtual')
  return isReal ? { kubeconfig, context, virtual, createNamespace, deleteOrphans } : undefined
}
