// Tests that TypeScript knows what a controller declares, and that values of kinds fit the types of built-in kinds.
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type CodeBlock, mistakesIn } from './doc-code.js'

t.setTimeout(300_000)
t.comment('timeout=300000')

const root = fileURLToPath(new URL('..', import.meta.url))

const kinds = `import * as z from 'zod'
const things = defineKind({
  group: 'a.example.com',
  version: 'v1',
  kind: 'Thing',
  spec: z.object({ size: z.int() }),
  conditions: ['Available', 'Stalled'],
})
type Thing = ObjectOf<typeof things>
const bare = defineKind({ group: 'a.example.com', version: 'v1', kind: 'Bare', spec: z.object({ size: z.int() }) })
const map: ConfigMap = { metadata: { name: 'settings' } }
`

/** A controller that owns Deployments and Secrets and watches Pods. */
const reconciling = (body: string) => `${kinds}
controller(things, {
  owns: [deployments, optional(owned(secrets, { adopt: (live) => live.metadata.name === '' }))],
  watches: [watch(pods, { keys: byLabel('thing') })],
  async reconcile(ctx, thing) {
    ${body}
  },
})
`

const allowed: Record<string, string> = {
  'what a controller declares': reconciling(`
    const live = await ctx.apply(deployments, { metadata: { name: 'web' } })
    if (live.status?.readyReplicas === thing.spec.size) ctx.condition('Available', true, 'Ready')
    if (ctx.serves(secrets)) await ctx.apply(secrets, { metadata: { name: 'key' }, stringData: { key: 'a' } })
    await ctx.apply(configMaps, map, { shared: true })
    await ctx.cluster('edge').apply(secrets, { metadata: { name: 'key' } })
    const node = ctx.store(pods).list()[0]?.spec?.nodeName
    const size = ctx.store(things).list()[0]?.spec.size
    ctx.condition('Stalled', node === undefined, 'Counted', String(size))`),
  'functions that take the context of any controller': `${reconciling(`
    await ofKind(ctx)
    await ofAll(ctx)
    await ofCluster(ctx)
    await ofCluster(ctx.cluster('edge'))
    await ofPart(ctx, secrets, { metadata: { name: 'key' } })`)}
async function ofKind(ctx: ContextOf<typeof things>) {
  await ctx.apply(configMaps, map)
  ctx.condition('Available', true, 'Applied')
}
const ofAll = (ctx: ControllerContext<Thing>) => ctx.apply(configMaps, map)
const ofCluster = (ctx: ClusterAccess) => ctx.apply(configMaps, map)
async function ofPart<T extends KubeObject>(ctx: Pick<ControllerContext, 'apply' | 'store'>, kind: Resource<T>, one: T) {
  if (ctx.store(kind).list().length === 0) await ctx.apply(kind, one)
}
`,
  'a controller that is a class': `${kinds}
class Things implements ControllerOptions<Thing> {
  owns = [deployments]
  async reconcile(ctx: ContextOf<typeof things>, thing: DeepReadonly<Thing>) {
    await ctx.apply(deployments, { metadata: { name: 'web' }, spec: template(thing.spec.size) })
    ctx.condition('Stalled', false, 'Applied')
  }
}
controller(things, new Things())
declare function template(replicas: number): NonNullable<Deployment['spec']>
`,
  'options whose kinds are not known': `${kinds}
const options: ControllerOptions<Thing> = {
  owns: [configMaps],
  async reconcile(ctx) {
    await ctx.apply(configMaps, map)
    ctx.condition('Other', true, 'Applied')
  },
}
controller(things, { ...options, name: 'others' })
const unknownKind: Resource = { group: 'b.example.com', version: 'v1', kind: 'B', plural: 'bs', namespaced: true }
controller(things, { owns: [unknownKind, deployments], reconcile: async (ctx) => void (await ctx.apply(unknownKind, map)) })
`,
  'conditions of a controller of its own': `${kinds}
controller(deployments, { conditions: ['Checked'], reconcile: (ctx) => ctx.condition('Checked', true, 'Ok') })
controller(things, { shared: true, conditions: ['Stalled'], reconcile: (ctx) => ctx.condition('Stalled', true, 'Ok') })
`,
  'a validation that reads the cache of its own kind': `import * as z from 'zod'
export const ports = defineKind({
  group: 'a.example.com',
  version: 'v1',
  kind: 'Port',
  spec: z.object({ number: z.int() }),
  validate(ctx, port): readonly FieldProblem[] {
    const others = ctx.store(ports).in(port.metadata.namespace)
    const isTaken = others.some(({ metadata, spec }) => metadata.name !== port.metadata.name && spec.number === port.spec.number)
    return isTaken ? [{ path: 'spec.number', message: 'is taken' }] : []
  },
})
const first: number | undefined = ports.schemas.length === 0 ? undefined : port(ports)
declare function port(kind: Resource<ObjectOf<typeof ports>>): number
export { first }
`,
}

const notOwned =
  /'Add the kind to owns of the controller, or pass \{ shared: true \} if others own the object\.'/
const notDeclared = /'Add the kind to owns or watches of the controller\.'/

const refused: Record<string, { code: string; told: RegExp }> = {
  'an apply of a kind that is not owned': {
    code: reconciling('await ctx.apply(configMaps, map)'),
    told: notOwned,
  },
  'an apply of a watched kind': {
    code: reconciling(`await ctx.apply(pods, { metadata: { name: 'web' } })`),
    told: notOwned,
  },
  'an apply in another cluster of a kind that is not owned': {
    code: reconciling(`await ctx.cluster('edge').apply(configMaps, map)`),
    told: notOwned,
  },
  'an apply of a controller that owns nothing': {
    code: `${kinds}controller(things, { reconcile: async (ctx) => void (await ctx.apply(configMaps, map)) })\n`,
    told: notOwned,
  },
  'a cache of a kind that is not declared': { code: reconciling('ctx.store(services)'), told: notDeclared },
  'a question about a kind that is not declared': {
    code: reconciling('ctx.serves(services)'),
    told: notDeclared,
  },
  'a misspelled condition': {
    code: reconciling(`ctx.condition('Avialable', true, 'Ok')`),
    told: /'"Avialable"' is not assignable to parameter of type '"Available" \| "Stalled"'/,
  },
  'a misspelled condition in a function': {
    code: `${kinds}export const report = (ctx: ContextOf<typeof things>) => ctx.condition('Ready', true, 'Ok')\n`,
    told: /'"Ready"' is not assignable to parameter of type '"Available" \| "Stalled"'/,
  },
  'a condition of a kind without conditions': {
    code: `${kinds}controller(bare, { reconcile: (ctx) => ctx.condition('Ready', true, 'Ok') })\n`,
    told: /'"Ready"' is not assignable to parameter of type '"\(add the type to conditions of the kind\)"'/,
  },
  'a condition that only the kind declares': {
    code: `${kinds}controller(things, { conditions: ['Stalled'], reconcile: (ctx) => ctx.condition('Available', true, 'Ok') })\n`,
    told: /'"Available"' is not assignable to parameter of type '"Stalled"'/,
  },
}

/** Values of a kind in objects of built-in kinds: all members that are optional in zod are passed on as they are. */
const passedOn = `import * as z from 'zod'
const amounts = z.record(z.string(), k.quantity()).optional()
const apps = defineKind({
  group: 'a.example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({
    image: z.string(),
    labels: z.record(z.string(), z.string()).optional(),
    template: k.objectMeta().optional(),
    data: z.record(z.string(), z.string()).optional(),
    replicas: z.int().optional(),
    nodeSelector: z.record(z.string(), z.string()).optional(),
    tolerations: z.array(z.object({ key: z.string().optional(), operator: z.string().optional() })).optional(),
    env: z.array(z.object({ name: z.string(), value: z.string().optional() })).optional(),
    resources: z.object({ requests: amounts, limits: amounts }).optional(),
    size: k.quantity().optional(),
    ports: z.array(z.object({ name: z.string().optional(), port: z.int(), targetPort: k.intOrString().optional() })),
    securityContext: z.object({ runAsUser: z.int().optional(), seccompProfile: z.object({ type: z.string() }).optional() }).optional(),
  }),
})
type Spec = ObjectOf<typeof apps>['spec']

export function deploymentFor({ metadata: { name = '' }, spec }: ObjectOf<typeof apps>): Deployment {
  const { image, env, resources, size, nodeSelector, tolerations, securityContext } = spec
  return {
    metadata: { name, labels: spec.labels },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: spec.labels },
      template: {
        metadata: spec.template,
        spec: {
          containers: [{ name: 'app', image, env, resources }],
          nodeSelector,
          tolerations,
          securityContext,
          volumes: [{ name: 'cache', emptyDir: { sizeLimit: size } }],
        },
      },
    },
  }
}
export const claimFor = ({ resources }: Spec): PersistentVolumeClaim => ({ metadata: { name: 'data' }, spec: { resources } })
export const serviceFor = ({ ports }: Spec): Service => ({ metadata: { name: 'app' }, spec: { ports } })
export const settingsFor = ({ data }: Spec): ConfigMap => ({ metadata: { name: 'app' }, data })
export const quotaFor = ({ resources }: Spec): ResourceQuota => ({ metadata: { name: 'app' }, spec: { hard: resources?.limits } })
// The amounts in a status are text, and a status has no undefined members.
export const cores = ({ status }: Node): string | undefined => status?.capacity?.cpu?.trim()
export const read = ({ status }: { status?: { phase?: string } }): string | undefined => status?.phase
export const phase = (pod: Pod): string | undefined => read(pod)
`

const blockOf = ([document, code]: [string, string]): CodeBlock => ({ document, line: 1, code, within: '' })

void t.test('TypeScript knows the conditions and the kinds of a controller', async (t) => {
  const refusedCode = Object.entries(refused).map(([title, { code }]): [string, string] => [title, code])
  const mistakes = await mistakesIn([...Object.entries(allowed), ...refusedCode].map(blockOf), root)
  const of = (title: string) => mistakes.filter((mistake) => mistake.startsWith(`${title}:`))
  for (const title of Object.keys(allowed)) t.same(of(title), [], title)
  for (const [title, { told }] of Object.entries(refused)) {
    t.match(of(title).join('\n'), told, title)
    t.equal(of(title).length, 1, `${title}: the one mistake`)
  }
})

void t.test('optional members and quantities of kinds fit built-in kinds', async (t) => {
  for (const exactOptionalPropertyTypes of [true, false]) {
    const mistakes = await mistakesIn([blockOf(['passed on', passedOn])], root, {
      exactOptionalPropertyTypes,
    })
    t.same(mistakes, [], `exactOptionalPropertyTypes ${exactOptionalPropertyTypes}`)
  }
})
