/**
 * `vcluster-plugin crd`: prints the CustomResourceDefinitions of the kinds that a module exports, or compares them with
 * a file or with a cluster.
 *
 * It promises that an API server accepts what it prints, except rules that are not to be checked. It changes no
 * cluster.
 */
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { checkDefinitions } from '../definitions/check-definitions.js'
import { print } from '../terminal/output.js'
import { checkLive } from './check-live.js'
import { compareWithFile } from './compare-with-file.js'
import { findKinds } from './find-kinds.js'
import type { PrintedKind } from './printed-kind.js'

/** Options of `vcluster-plugin crd`. */
export interface CrdCommandOptions {
  /** The module that exports the kinds, or its folder. */
  path: string
  output: 'yaml' | 'json'
  /** A file with the former definitions, to compare with; default none. */
  check: string | undefined
  /** Compares with the definitions and the objects of a cluster. */
  live: boolean
  /** Default kubectl's. */
  kubeconfig: string | undefined
  /** Default the current one. */
  context: string | undefined
}

/** The maximum size, in bytes, of a definition for `kubectl apply`, which keeps a copy in an annotation. */
const maxApplied = 200 * 1024

/** Runs the command. Throws `PluginError` `INVALID_KIND`, or `CRD_DIFFERS` if a check fails. */
export async function runCrd(options: CrdCommandOptions): Promise<void> {
  const kinds = await findKinds(options.path)
  const definitions = kinds.map(({ definition }) => definition)
  printWarnings(kinds)
  await checkDefinitions(kinds)
  const isCheck = options.check !== undefined || options.live
  if (!isCheck) return print({ table: [], data: listOrOne(definitions, options.output) }, options.output)
  const allDifferences = [
    ...(options.check === undefined ? [] : await compareWithFile(definitions, options.check)),
    ...(options.live ? await checkLive(kinds, options) : []),
  ]
  for (const { level, sentence } of allDifferences) process.stderr.write(`${level}: ${sentence}\n`)
  const errors = allDifferences.filter(({ level }) => level === 'error')
  if (errors.length > 0)
    throw new PluginError(
      'CRD_DIFFERS',
      `the check found ${errors.length} ${errors.length === 1 ? 'error' : 'errors'}, listed above`,
    )
  process.stdout.write(`${definitions.map(({ metadata }) => metadata.name).join(', ')}: no errors\n`)
}

const listOrOne = (definitions: readonly CustomResourceDefinition[], output: 'yaml' | 'json') =>
  output === 'json' && definitions.length === 1 ? definitions[0] : definitions

function printWarnings(kinds: readonly PrintedKind[]): void {
  for (const { definition, warnings } of kinds) {
    const { name } = definition.metadata
    for (const warning of warnings) process.stderr.write(`warning: ${name}: ${warning}\n`)
    const bytes = JSON.stringify(definition).length
    if (bytes <= maxApplied) continue
    const advice = 'apply it with kubectl apply --server-side, or cut descriptions with maxDescription'
    process.stderr.write(`warning: ${name} has ${Math.ceil(bytes / 1024)} KiB; ${advice}\n`)
  }
}
