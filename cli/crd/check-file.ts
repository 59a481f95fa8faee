import { readFile } from 'node:fs/promises'
import { readManifests } from '../../sdk/engine/cluster/read-manifests.js'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { compareDefinitions } from '../../sdk/operator/kind/definition/compare-definitions.js'
import { formatDifference } from '../../sdk/operator/kind/definition/definition-difference.js'

/** One line of the output of a check. */
export interface CheckLine {
  readonly level: 'error' | 'warning'
  readonly sentence: string
}

/** Compares definitions with those in a file. A stale file and a breaking change are errors. */
export async function checkFile(
  definitions: readonly CustomResourceDefinition[],
  file: string,
): Promise<CheckLine[]> {
  const before = await readDefinitions(file)
  return definitions.flatMap((definition) => checkOne(definition, before, file))
}

async function readDefinitions(file: string): Promise<CustomResourceDefinition[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new PluginError('INVALID_CRD', `${file} cannot be read: ${String(error)}`, { cause: error })
  })
  const objects = await readManifests(text)
  return objects.filter(
    ({ kind }) => kind === 'CustomResourceDefinition',
  ) as unknown as CustomResourceDefinition[]
}

function checkOne(
  definition: CustomResourceDefinition,
  before: readonly CustomResourceDefinition[],
  file: string,
): CheckLine[] {
  const { name } = definition.metadata
  const old = before.find(({ metadata }) => metadata.name === name)
  if (old === undefined) return [{ level: 'error', sentence: `${file} has no ${name}; add it` }]
  const differences = differencesOf(old, definition)
  if (differences.length === 0 && jsonEqual(old.spec, definition.spec)) return []
  const stale = `${file} is stale: ${name} differs; write it again with vcluster-plugin crd`
  return [...differences, { level: 'error', sentence: stale }]
}

/** The differences of two definitions, as lines. */
export function differencesOf(
  before: CustomResourceDefinition,
  after: CustomResourceDefinition,
): CheckLine[] {
  return compareDefinitions(before, after).map((one) => ({
    level: one.level,
    sentence: `${after.metadata.name}: ${formatDifference(one)}`,
  }))
}
