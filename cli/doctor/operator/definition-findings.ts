import { type CustomResourceDefinition, customResourceDefinitions } from '../../../sdk/engine/kube/builtin.js'
import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { type Finding, finding } from '../finding.js'
import type { OperatorFindingsOptions } from './operator-findings-options.js'
import { readIfExists } from './read-if-exists.js'

const check = 'definitions'
const cure = 'apply what "vcluster-plugin crd" prints'

/** Compares the definitions of an operator with those of the cluster: missing, not served, stale. */
export async function definitionFindings({
  client,
  cluster: checked,
  description: { kinds },
}: OperatorFindingsOptions): Promise<Finding[]> {
  const kindsInCluster = kinds.filter(({ cluster }) => cluster === checked)
  return Promise.all(
    kindsInCluster.map(async ({ definition }) => {
      const { name = '' } = definition.metadata
      const key = { namespace: '', name }
      return findingOf(definition, await readIfExists(client.get(customResourceDefinitions, key)))
    }),
  )
}

function findingOf(
  declared: CustomResourceDefinition,
  installed: CustomResourceDefinition | undefined,
): Finding {
  const { name } = declared.metadata
  if (!installed) return finding(check, 'failed', `${name} is not installed; ${cure}`)
  const refusal = refusalOf(installed)
  if (refusal !== undefined) return finding(check, 'failed', `the cluster does not serve ${name}: ${refusal}`)
  const stale = declared.spec.versions.flatMap((version) => {
    const live = installed.spec.versions.find((installedVersion) => installedVersion.name === version.name)
    if (!live) return [`it has no version ${version.name}`]
    if (version.served && !live.served) return [`version ${version.name} is not served`]
    if (!jsonEqual(live.schema, version.schema)) return [`the schema of ${version.name} differs`]
    if (!jsonEqual(live.subresources ?? {}, version.subresources ?? {}))
      return [`the subresources of ${version.name} differ`]
    return []
  })
  if (stale.length > 0)
    return finding(
      check,
      'failed',
      `${name} in the cluster is not the operator's: ${stale.join(', ')}; compare them with "vcluster-plugin crd --live", then ${cure}`,
    )
  return finding(check, 'ok', `${name} is installed and served`)
}

/** Why the API server does not serve a definition; undefined if it does. */
function refusalOf({ metadata, status }: CustomResourceDefinition): string | undefined {
  if (metadata.deletionTimestamp) return 'it is being deleted, with all its objects'
  const conditions = status?.conditions ?? []
  const bad = conditions.find(
    ({ type, ...rest }) => ['Established', 'NamesAccepted'].includes(type) && rest.status !== 'True',
  )
  if (bad) return `${bad.type} is ${bad.status}, ${bad.message ?? bad.reason ?? 'without a reason'}`
  if (!conditions.some(({ type }) => type === 'Established')) return 'it is not established yet'
  return undefined
}
