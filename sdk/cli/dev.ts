import type { Argv, CommandModule } from 'yargs'
import type { DevOptions } from './dev/dev-options.js'
import { UsageError } from './usage-error.js'

interface DevArguments {
  folder: string
  dir: string
  name: string
  once: boolean
  noWatch: boolean
  verbose: boolean
  virtualPort: number
  hostPort: number
  vclusterPort: number
}

const notes = `Colours are left out when NO_COLOR is set or the output is no terminal.
Ctrl-C stops everything; a second one at once. SIGUSR2 restarts the vcluster process.`

/** `vcluster-plugin dev FOLDER`: runs a plugin against two embedded clusters, with nothing else installed. */
export const devCommand: CommandModule<object, DevArguments> = {
  command: 'dev [folder]',
  describe: 'Run a plugin against two embedded clusters and show what it mirrors',
  builder: options,
  async handler(args) {
    const { runDev } = await import('./dev/run-dev.js')
    await runDev(checked(args))
  },
}

function options(yargs: Argv): Argv<DevArguments> {
  const port = { type: 'number', default: 0, defaultDescription: 'a free one', requiresArg: true } as const
  return yargs
    .positional('folder', { type: 'string', default: '.', describe: "The plugin's folder" })
    .option('dir', {
      string: true,
      default: '.vcluster-plugin',
      requiresArg: true,
      describe: 'Where the two kubeconfigs are written',
    })
    .option('name', {
      string: true,
      default: 'dev',
      requiresArg: true,
      describe: 'Name of the vcluster; its host namespace is vcluster-<name>',
    })
    .option('once', {
      boolean: true,
      default: false,
      describe: 'Mirror the samples, print a summary and end',
    })
    .option('no-watch', {
      boolean: true,
      default: false,
      describe: 'Do not restart the plugin when its source changes',
    })
    .option('verbose', {
      boolean: true,
      default: false,
      describe: "Show all of the plugin's log, not only warnings and errors",
    })
    .option('virtual-port', { ...port, describe: "Port of the virtual cluster's API server" })
    .option('host-port', { ...port, describe: "Port of the host cluster's API server" })
    .option('vcluster-port', { ...port, describe: 'Port on which the vcluster process waits for plugins' })
    .example('$0 dev examples/sync-all-configmaps', 'mirror ConfigMaps until Ctrl-C')
    .example('$0 dev . --once', 'prove in a pipeline that the plugin mirrors its samples')
    .epilogue(notes) as unknown as Argv<DevArguments>
}

const maxPort = 65_535

function checked({ folder, dir, name, once, noWatch, verbose, ...ports }: DevArguments): DevOptions {
  const { virtualPort, hostPort, vclusterPort } = ports
  for (const port of [virtualPort, hostPort, vclusterPort]) {
    if (!Number.isInteger(port) || port < 0 || port > maxPort)
      throw new UsageError(`A port is a whole number up to ${maxPort}`)
  }
  // The name of a Service, which the vcluster's is, is a DNS label.
  if (!/^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/.test(name))
    throw new UsageError(`--name ${name} cannot be: use lower-case letters, digits and "-"`)
  return {
    folder,
    dir,
    vclusterName: name,
    once,
    watch: !noWatch && !once,
    verbose,
    virtualPort,
    hostPort,
    vclusterPort,
  }
}
