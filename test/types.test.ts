// Tests that TypeScript rejects mistakes in a plugin's code, compiled as a reader of a document would.
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type CodeBlock, mistakesIn } from './doc-code.js'

t.setTimeout(300_000)

/** A syncer of ConfigMaps with these members. */
const syncerWith = (members: string) => `class Mine extends NamespacedTranslator<ConfigMap> {
  constructor(ctx: RegisterContext) {
    super(ctx, 'mine', configMaps)
  }
  ${members}
}
export const made = (ctx: RegisterContext) => new Mine(ctx)
`
const syncDown = 'override async syncDown() {}'
const sync = 'override async sync() {}'

/** Valid code, so that each rejected code is rejected for its own reason. */
const allowed: Record<string, string> = {
  'a syncer that copies an input before it changes the copy': syncerWith(`
  override async syncDown(ctx: SyncContext, virtual: DeepReadonly<ConfigMap>) {
    const copy: ConfigMap = structuredClone(virtual)
    copy.data = { ...copy.data, color: 'red' }
    copy.metadata.labels ??= {}
    return this.syncDownCreate(ctx, virtual, this.translateMetadata({ ...virtual, data: copy.data }))
  }
  override async sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }`),
  'inputs under their plain type': syncerWith(`
  override async syncDown(_ctx: SyncContext, virtual: ConfigMap) {
    await finishDeletion(this, _ctx, virtual)
  }
  override async sync(ctx: SyncContext, pair: { host: ConfigMap; virtual: ConfigMap }) {
    return this.syncBoth(ctx, pair)
  }`),
  'a generic syncer': `export abstract class Mine<T extends KubeObject> extends NamespacedTranslator<T> {
  override syncDown(ctx: SyncContext, virtual: T) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }
  override sync(ctx: SyncContext, { host, virtual }: Pair<T>) {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}
`,
  'a generic syncer with plain types and an object of a store': `export abstract class Mine<T extends KubeObject> extends NamespacedTranslator<T> {
  override async syncDown(ctx: SyncContext, virtual: T) {
    const seen = ctx.virtual.store(this.resource).get(keyOf(virtual))
    return seen && this.syncDownCreate(ctx, seen, this.translateMetadata(seen))
  }
  override async sync(ctx: SyncContext, pair: { host: T; virtual: T }) {
    await syncUpStatus(this, ctx, pair)
    return this.syncBoth(ctx, pair)
  }
}
`,
  'the list methods of an input': `export function images(pod: DeepReadonly<Pod>): string[] {
  const containers = pod.spec?.containers ?? []
  const named = containers.filter(({ image }) => image !== undefined)
  const ports = containers.flatMap(({ ports }) => ports ?? []).reduce((sum, { containerPort }) => sum + containerPort, 0)
  const first = containers.find(({ env }) => env?.some(({ name }) => name === 'DEBUG'))?.name ?? ''
  const copy: Pod = structuredClone(pod)
  copy.metadata.labels = Object.fromEntries(Object.entries(pod.metadata.labels ?? {}).slice(ports))
  return [...named.map(({ image = '' }) => image).sort(), first]
}
`,
  'a result, and a helper that takes the plain type': syncerWith(`${syncDown}
  override async sync(_ctx: SyncContext, { virtual }: Pair<ConfigMap>) {
    return this.isDone(virtual) ? undefined : { requeueAfterMs: 5000 }
  }
  isDone(virtual: ConfigMap): boolean {
    return virtual.data?.done === 'yes'
  }`),
  'a mirror that changes what it copies': `export const made = (ctx: RegisterContext) =>
  mirrorDown(ctx, secrets, { transform: (secret) => ({ ...secret, type: 'Opaque' }) })
`,
  'a resource of a custom kind': `export interface Car extends KubeObject { kind?: 'Car'; spec?: { wheels: number[] } }
export const cars: Resource<Car> = { group: 'example.com', version: 'v1', kind: 'Car', plural: 'cars', namespaced: true }
export const read = (pair: Pair<Car>): number[] => [...(pair.host.spec?.wheels ?? [])]
`,
}

const refused: Record<string, { code: string; told: RegExp }> = {
  'a class in place of an instance': {
    code: `${syncerWith(`${syncDown}\n  ${sync}`)}plugin.register(Mine)\n`,
    told: /'typeof Mine' is not assignable to/,
  },
  'a resource of another kind': {
    code: syncerWith(`${syncDown}\n  ${sync}`).replace('configMaps', 'secrets'),
    told: /Argument of type 'Resource<Secret>' is not assignable to parameter of type 'Resource<ConfigMap>'[\s\S]*'"Secret"' is not assignable to type '"ConfigMap"'/,
  },
  'a kind that does not fit the type': {
    code: `export const wrong: Resource<Pod> = { ...pods, kind: 'Pods' }\n`,
    told: /Type '"Pods"' is not assignable to type '"Pod"'/,
  },
  'a write to an input of sync': {
    code: syncerWith(`${syncDown}
  override async sync(_ctx: SyncContext, { virtual }: Pair<ConfigMap>) {
    virtual.metadata.labels = { copied: 'yes' }
  }`),
    told: /Cannot assign to 'labels' because it is a read-only property/,
  },
  'a write deep in an input': {
    code: `export function change(pod: DeepReadonly<Pod>): void {
  for (const container of pod.spec?.containers ?? []) container.image = 'mine'
}\n`,
    told: /Cannot assign to 'image' because it is a read-only property/,
  },
  'a write to the input of a mirror': {
    code: `export const made = (ctx: RegisterContext) => mirrorDown(ctx, configMaps, {
  transform: (map) => {
    map.immutable = true
    return map
  },
})\n`,
    told: /Cannot assign to 'immutable' because it is a read-only property/,
  },
  'a number as a result': {
    code: syncerWith(`${syncDown}\n  override async sync() {\n    return 42\n  }`),
    told: /'Promise<number>' is not assignable to type 'SyncResult'/,
  },
  'a result with a misspelled member': {
    code: syncerWith(`${syncDown}\n  override async sync() {\n    return { requeueAfter: 5000 }\n  }`),
    told: /requeueAfter/,
  },
}

void t.test('TypeScript rejects invalid code and accepts valid code', async (t) => {
  const blocks = Object.entries({ ...allowed, ...refused }).map(
    ([document, block]): CodeBlock => ({
      document,
      line: 1,
      code: typeof block === 'string' ? block : block.code,
      within: '',
    }),
  )
  const mistakes = await mistakesIn(blocks, fileURLToPath(new URL('..', import.meta.url)))
  for (const title of Object.keys(allowed))
    t.same(
      mistakes.filter((mistake) => mistake.startsWith(`${title}:`)),
      [],
      title,
    )
  for (const [title, { told }] of Object.entries(refused))
    t.match(mistakes.filter((mistake) => mistake.startsWith(`${title}:`)).join('\n'), told, title)
})
