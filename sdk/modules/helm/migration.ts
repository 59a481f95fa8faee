// The data of a release that a fork copies: the names of its Secrets, ConfigMaps and volume claims.
import * as z from 'zod'
import { PermanentError } from '../../engine/kube/error.js'
import { issueText } from '../../engine/kube/issue-text.js'
import { renderTemplates } from '../template/render-templates.js'
import { helmPath } from './helm-spec.js'
import { type ReleaseKey, renderReleaseKey, type SpecOwner } from './render-helm-spec.js'

const names = z
  .strictObject({ enabled: z.boolean().default(false), names: z.array(z.string().min(1)).default([]) })
  .optional()

const list = z.array(z.string().min(1)).optional()

/** The schema of both spellings: a kind with `enabled` and `names`, or a list of names under the plural of the kind. */
const migrationSchema = z.strictObject({
  pvc: names,
  secret: names,
  configMap: names,
  pvcs: list,
  secrets: list,
  configMaps: list,
})

/** The data of one release, by the kinds of the objects. */
export interface ReleaseMigration {
  readonly release: ReleaseKey
  readonly Secret: readonly string[]
  readonly ConfigMap: readonly string[]
  readonly PersistentVolumeClaim: readonly string[]
}

/** The data that a spec names. Throws a `PermanentError` for a `migration` that cannot be read. */
export function migrationOf(spec: Record<string, unknown>, owner: SpecOwner): ReleaseMigration {
  const release = renderReleaseKey(spec, owner)
  const { name: releaseName, namespace } = release
  const path = `${helmPath}.migration`
  const random = () => {
    throw new PermanentError(`${path}: a random text is not possible here`)
  }
  const values = { config: owner.values, releaseName, namespace }
  const rendered = renderTemplates(spec.migration ?? {}, { values, random, path })
  const { data, error } = migrationSchema.safeParse(rendered)
  if (error)
    throw new PermanentError(
      error.issues.map((issue) => `${[path, ...issue.path].join('.')}: ${issueText(issue)}`).join('; '),
    )
  const of = (one: z.output<typeof names>, all: z.output<typeof list> = []) => [
    ...new Set([...(one?.enabled ? one.names : []), ...all]),
  ]
  return {
    release,
    Secret: of(data.secret, data.secrets),
    ConfigMap: of(data.configMap, data.configMaps),
    PersistentVolumeClaim: of(data.pvc, data.pvcs),
  }
}
