import t from 'tap'
import { configMaps, deployments, nodes, pods, secrets } from '../../../engine/kube/builtin.js'
import { apiVersionOf, type Resource } from '../../../engine/kube/resource.js'
import type { PolicyRule } from '../../manager/policy-rule.js'
import { kindsToList } from './kinds-to-list.js'

const all = [configMaps, deployments, nodes, pods, secrets] as readonly Resource[]
const cluster = {
  apiVersions: async () => ['v1', 'apps/v1', 'other.example/v1'],
  served: async (apiVersion: string) => all.filter((one) => apiVersionOf(one) === apiVersion),
}

async function lookedAt(kinds: string[], permissions?: PolicyRule[]): Promise<string[]> {
  const run = { ctx: { status: { kinds } }, module: {} }
  return (await kindsToList(cluster, run as never, permissions)).map(({ kind }) => kind)
}

void t.test('kinds that were written, or that rules allow to write, are looked at once', async (t) => {
  const rule = (group: string, resource: string, verbs: string[]) => ({ group, resource, verbs })
  t.strictSame(await lookedAt(['v1 ConfigMap', 'apps/v1 Deployment', 'v1 Gone', '', 'a']), [
    'ConfigMap',
    'Deployment',
  ])
  const rules = [
    rule('apps', 'deployments', ['create', 'patch']),
    rule('', 'secrets', ['*']),
    rule('', 'nodes', ['get', 'list']),
    rule('*', 'pods', ['*']),
    rule('', '*', ['create']),
    rule('apps', 'pods', ['create']),
    rule('absent.example', 'things', ['create']),
  ]
  t.strictSame(await lookedAt(['apps/v1 Deployment'], rules), ['Deployment', 'Secret'])
  t.strictSame(await lookedAt([]), [])
})

void t.test('no text of a status makes the operator look at more than 50 kinds', async (t) => {
  const asked: string[] = []
  const counting = {
    ...cluster,
    served: async (apiVersion: string) => {
      asked.push(apiVersion)
      return []
    },
  }
  const kinds = Array.from({ length: 1_000 }, (_, at) => `group${at}.example/v1 Thing`)
  await kindsToList(counting, { ctx: { status: { kinds } }, module: {} } as never)
  t.equal(asked.length, 50)
})
