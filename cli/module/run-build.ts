/**
 * `vcluster-plugin module build`: bundles a program of Modules into one file, and writes the objects to install it
 * with.
 *
 * The command loads the file as an operator does before it writes the objects, so an operator can load it.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { stringify } from '../../sdk/engine/kube/yaml.js'
import { programLimitBytes } from '../../sdk/modules/program/unpack-program.js'
import { writeNamed } from '../machine/write-named.js'
import { bundleProgram } from '../program-files/bundle-program.js'
import { inspectProgram } from '../program-files/inspect-program.js'
import { programConfigMap, sampleModule } from '../program-files/program-objects.js'
import { findProgramSource } from './find-program-source.js'
import { programFacts, sizeText } from './program-facts.js'

/** Options of `vcluster-plugin module build`. */
export interface BuildOptions {
  /** The source of the program, or its folder. */
  entry: string
  /** The folder for the files. */
  out: string
  /** The namespace of the objects. */
  namespace: string
  /** The Workspace of the sample, in `namespace`. */
  workspace: string
  /** The namespace of the ConfigMap. Default: `namespace`. */
  programNamespace?: string | undefined
}

/** Runs the command. Throws `PluginError` `NO_PROGRAM`, `NO_ESBUILD`, `BUNDLE_FAILED` or `PROGRAM_REFUSED`. */
export async function runBuild({
  entry,
  out,
  namespace,
  workspace,
  programNamespace = namespace,
}: BuildOptions): Promise<void> {
  const content = await bundleProgram(await findProgramSource(entry))
  checkSize(entry, content)
  await mkdir(out, { recursive: true })
  const file = join(out, 'program.mjs')
  await writeNamed(file, content)
  const inspected = await inspectProgram(file)
  const configMap = programConfigMap(inspected, programNamespace)
  const module = sampleModule(inspected, { namespace, name: workspace }, configMap && programNamespace)
  const objects = [
    await writeObject(out, 'module.yaml', module),
    await writeObject(out, 'configmap.yaml', configMap),
  ]
  const written = [file, ...objects.filter((path) => path !== undefined)]
  for (const line of programFacts(inspected)) console.log(line)
  console.log(`written  ${written.map(relativePath).join(', ')}`)
  console.log(
    `sample   Module ${namespace}/${module.metadata.name} of Workspace ${namespace}/${workspace}, which must exist; set its config`,
  )
  if (configMap === undefined)
    console.error(
      `${file} is too large for a ConfigMap, which holds 1 MiB: serve it by HTTPS, and set its URL in module.yaml`,
    )
}

function checkSize(entry: string, { length }: Buffer): void {
  if (length <= programLimitBytes) return
  throw new PluginError(
    'PROGRAM_REFUSED',
    `${entry} has ${sizeText(length)} with its imports, and an operator loads at most ${sizeText(programLimitBytes)}; import less`,
  )
}

/** Writes an object; removes the file of an earlier build if there is none. */
async function writeObject(
  out: string,
  name: string,
  object: object | undefined,
): Promise<string | undefined> {
  const file = join(out, name)
  if (object === undefined) await rm(file, { force: true })
  else await writeNamed(file, stringify(object))
  return object && file
}

const relativePath = (path: string) => relative(process.cwd(), resolve(path))
