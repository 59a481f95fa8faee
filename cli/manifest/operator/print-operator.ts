import type { OperatorDescription } from '../../../sdk/operator/describe/operator-description.js'
import { readSamples } from '../../samples/samples.js'
import { formatted } from '../../terminal/output.js'
import { kustomizeLayout, writeLayout } from '../kustomize.js'
import { operatorObjects } from './operator-objects.js'
import type { OperatorManifestOptions } from './operator-options.js'
import { uninstallCommands } from './uninstall.js'

/** Options of {@link printOperator}. */
export interface PrintOperatorOptions extends OperatorManifestOptions {
  /** The folder of the operator, with its samples. */
  folder: string
  /** Prints the commands that remove the operator. */
  uninstall: boolean
  /** A folder for the kustomize layout; default none, then the objects are printed. */
  kustomize: string | undefined
}

/** Prints the objects that run an operator, or writes them into a folder, or prints the commands that remove them. */
export async function printOperator(
  description: OperatorDescription,
  options: PrintOperatorOptions,
): Promise<void> {
  const objects = operatorObjects(description, options)
  if (options.uninstall)
    return write(`${uninstallCommands(description, objects, options.cluster).join('\n')}\n`)
  if (options.kustomize !== undefined) {
    const files = await kustomizeLayout({ ...objects }, await readSamples(options.folder))
    return writeLayout(options.kustomize, files)
  }
  write(await formatted({ table: [], data: Object.values(objects).flat() }, 'yaml'))
}

const write = (text: string) => void process.stdout.write(text)
