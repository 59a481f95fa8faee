import { createHash } from 'node:crypto'
import type { GroupVersion, Registry } from '../registry.js'
import type { ServedResource } from '../served-resource.js'

const INFO = { title: 'Kubernetes', version: 'v1.36.3' }

function pathOf({ group, version }: GroupVersion): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

/** `GET /openapi/v3`: which documents there are. */
export function openApiIndex(registry: Registry): object {
  const entries = registry.groupVersions.map((each) => {
    const path = pathOf(each)
    const plurals = each.resources.map(({ plural }) => plural).join()
    const hash = createHash('sha256').update(plurals).digest('hex').toUpperCase()
    return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }] as const
  })
  return { paths: Object.fromEntries(entries) }
}

/**
 * `GET /openapi/v3/<path>`: the resources of one group version and the parameters of their writes, which is
 * where clients see that the server checks fields itself. Without schemas.
 */
export function openApiDocument(registry: Registry, path: string): object | undefined {
  const found = registry.groupVersions.find((each) => pathOf(each) === path)
  if (found === undefined) return undefined
  const paths = found.resources.map((resource) => [objectPath(path, resource), describe(resource)] as const)
  return { openapi: '3.0.0', info: INFO, paths: Object.fromEntries(paths), components: { schemas: {} } }
}

/** `GET /openapi/v2`: an empty document, for clients that only ask whether there is one. */
export function openApiV2(): object {
  return { swagger: '2.0', info: INFO, paths: {}, definitions: {} }
}

function objectPath(path: string, { namespaced, plural }: ServedResource): string {
  return namespaced ? `/${path}/namespaces/{namespace}/${plural}/{name}` : `/${path}/${plural}/{name}`
}

const queryParameter = (name: string) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
})

function describe({ group, version, kind }: ServedResource): object {
  const operation = {
    parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map(queryParameter),
    'x-kubernetes-group-version-kind': { group, kind, version },
    responses: { 200: { description: 'OK' } },
  }
  return {
    get: { ...operation, 'x-kubernetes-action': 'get', parameters: [] },
    put: { ...operation, 'x-kubernetes-action': 'put' },
    patch: { ...operation, 'x-kubernetes-action': 'patch' },
  }
}
