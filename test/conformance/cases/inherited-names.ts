import type { Case, CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import { define } from '../custom-resource.js'
import { running } from '../samples.js'

const source = 'Names that clients choose and that are also members of every JavaScript object'
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
const containers = [{ name: 'c', image: 'i' }]

/** A field selector with such a name is refused by lists and watches. */
async function isNotSelectable({ get, expect }: CaseClient, path: string): Promise<void> {
  for (const name of names) {
    const message = `field label not supported: ${name}`
    for (const query of ['', 'watch=true&timeoutSeconds=1&'])
      expect.refused(await get(`${path}?${query}fieldSelector=${name}%3Dx`), {
        code: 400,
        reason: 'BadRequest',
        message,
      })
  }
}

interface Invalid {
  readonly reference: string
  readonly body: object
  /** The start of a cause. */
  readonly because: RegExp
}

function isInvalid(name: string, { reference, body, because }: Invalid): Case {
  return {
    name,
    source,
    async run({ post, namespace, expect }) {
      const object = { metadata: { name: `a-${namespace}` }, ...body }
      expect.answer(await post(reference, object), 422, { message: because })
    },
  }
}

const metrics = [{ type: 'constructor', pods: { metric: { name: 'm' }, target: {} } }]
const exists = { matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }

/** No such name is taken for a known one. */
export const inheritedNames: CaseGroup = {
  name: 'inherited-names',
  cases: [
    {
      name: 'no field with such a name can be selected',
      source,
      async run(client) {
        for (const resource of ['secrets', 'pods', 'namespaces', 'replicationcontrollers'])
          await isNotSelectable(client, resource)
        const cars = await define(client)
        await cars.make('a', { spec: {} })
        await isNotSelectable(client, cars.path())
      },
    },
    {
      name: 'a Secret may have such a type',
      source,
      async run({ post, expect }) {
        for (const [at, type] of names.entries())
          expect.answer(await post('secrets', { metadata: { name: `s${at}` }, type }), 201, { type })
      },
    },
    {
      name: 'such a member of the options of a delete is ignored',
      source,
      async run({ make, delete: remove, expect }) {
        for (const name of names) {
          await make('configmaps', { metadata: { name: 'a' } })
          expect.answer(await remove('configmaps/a', `{"${name}":1}`), 200)
        }
      },
    },
    {
      name: 'a pod cannot have a class with such a name that does not exist',
      source,
      async run({ post, expect }) {
        const spec = { containers, priorityClassName: 'constructor' }
        expect.refused(await post('pods', { metadata: { name: 'a' }, spec }), {
          code: 403,
          reason: 'Forbidden',
          message: 'pods "a" is forbidden: no PriorityClass with name constructor was found',
          details: { name: 'a', kind: 'pods' },
        })
      },
    },
    {
      name: 'such a media type is not known',
      source,
      async run(client) {
        const { get, post, expect } = client
        const cars = await define(client)
        for (const name of ['constructor', 'toString', '__proto__']) {
          expect.same((await get(cars.path(), { headers: { accept: name } })).status, 406)
          const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
          const answer = await post('configmaps', body, { headers: { 'content-type': name } })
          expect.same(answer.status, 415)
        }
      },
    },
    {
      name: 'a node selector of a RuntimeClass may have such a key',
      source,
      async run({ make, namespace, delete: remove, expect }) {
        const name = `r-${namespace}`
        const scheduling = { nodeSelector: { constructor: 'x' } }
        await make('runtimeclasses', { metadata: { name }, handler: 'h', scheduling })
        const pod = await make('pods', {
          metadata: { name: 'a' },
          spec: { containers, runtimeClassName: name },
        })
        expect.has(pod, { spec: { nodeSelector: { constructor: 'x' } } })
        await remove(`runtimeclasses/${name}`)
      },
    },
    isInvalid('a metric has no such type', {
      reference: 'horizontalpodautoscalers',
      body: { spec: { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd' }, metrics } },
      because: /spec\.metrics\[0\]\.type: Unsupported value: "constructor"/,
    }),
    isInvalid('a pod cannot request such a resource', {
      reference: 'pods',
      body: { spec: { containers: [{ ...containers[0], resources: { requests: { constructor: '1' } } }] } },
      because: /requests\[constructor\]: Invalid value: "constructor": must be a standard resource/,
    }),
    isInvalid('labels do not have such a key', {
      reference: 'deployments',
      body: { spec: { selector: exists, template: running } },
      because: /`selector` does not match template `labels`/,
    }),
    {
      name: 'a string may have such a format',
      source,
      async run(client) {
        const rule = { rule: "self == 'x'", message: 'not x' }
        const text = { type: 'string', format: 'constructor', 'x-kubernetes-validations': [rule] }
        const cars = await define(client, { spec: { type: 'object', properties: { text } } })
        client.expect.answer(await cars.create('a', { spec: { text: 'x' } }), 201)
        client.expect.answer(await cars.create('b', { spec: { text: 'y' } }), 422, { message: /not x/ })
      },
    },
    {
      name: 'a ClusterRole without such a label is not aggregated by it',
      source,
      needs: 'controller-manager',
      async run({ make, read, until, namespace, delete: remove, expect }) {
        const [one, other, part] = ['a', 'b', 'c'].map((name) => `${name}-${namespace}`)
        const labels = { of: namespace }
        const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]
        const by = (selector: object) => ({
          aggregationRule: { clusterRoleSelectors: [selector] },
          rules: [],
        })
        await make('clusterroles', { metadata: { name: one }, ...by({ ...exists, matchLabels: labels }) })
        await make('clusterroles', { metadata: { name: other }, ...by({ matchLabels: labels }) })
        await make('clusterroles', { metadata: { name: part, labels }, rules })
        await until('the other role has the rules', async () => {
          const { rules: made } = await read(`clusterroles/${other}`)
          return Array.isArray(made) && made.length === 1
        })
        const { rules: made } = await read(`clusterroles/${one}`)
        expect.ok(!Array.isArray(made) || made.length === 0, 'the role has no rules')
        for (const name of [one, other, part]) await remove(`clusterroles/${name}`)
      },
    },
  ],
}
