import { readFile } from 'node:fs/promises'
import { readManifests } from '../../sdk/engine/cluster/read-manifests.js'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import {
  type ComparisonOptions,
  compareDefinitions,
} from '../../sdk/operator/kind/definition/compare-definitions.js'
import { formatDifference } from '../../sdk/operator/kind/definition/definition-difference.js'
import { systemFailure } from '../terminal/failure-text.js'

/** One line of the output of `crd --check`. */
export interface CheckLine {
  readonly level: 'error' | 'warning'
  readonly sentence: string
}

/**
 * Compares the definitions of a program with those that `crd` wrote to a file earlier. An outdated or missing
 * definition and a change that breaks existing objects are errors.
 */
export async function compareWithFile(
  definitions: readonly CustomResourceDefinition[],
  file: string,
): Promise<CheckLine[]> {
  const before = await readDefinitions(file)
  return definitions.flatMap((definition) => compareWithSaved(definition, before, file))
}

async function readDefinitions(file: string): Promise<CustomResourceDefinition[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new PluginError('INVALID_CRD', whyNotRead(error, file), { cause: error })
  })
  const objects = await readManifests(text, file)
  return objects.filter(
    ({ kind }) => kind === 'CustomResourceDefinition',
  ) as unknown as CustomResourceDefinition[]
}

function whyNotRead(error: unknown, file: string): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return `there is no file ${file}; correct the path, or write it with: vcluster-plugin crd > ${file}`
  return systemFailure(error as Error) ?? `${file} cannot be read: ${String(error)}`
}

function compareWithSaved(
  definition: CustomResourceDefinition,
  before: readonly CustomResourceDefinition[],
  file: string,
): CheckLine[] {
  const { name } = definition.metadata
  const old = before.find(({ metadata }) => metadata.name === name)
  if (old === undefined) return [{ level: 'error', sentence: `${file} has no ${name}; add it` }]
  const differences = differenceLines(old, definition)
  if (differences.length === 0 && jsonEqual(old.spec, definition.spec)) return []
  const stale = `${file} is stale: ${name} differs; write it again with vcluster-plugin crd`
  return [...differences, { level: 'error', sentence: stale }]
}

/** The differences between two versions of a definition, a line for each. */
export function differenceLines(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
  options?: ComparisonOptions,
): CheckLine[] {
  return compareDefinitions(before, after, options).map((difference) => ({
    level: difference.level,
    sentence: `${after.metadata.name}: ${formatDifference(difference)}`,
  }))
}
