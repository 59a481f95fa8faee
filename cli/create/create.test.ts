import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import { formatResource } from '../../sdk/engine/kube/resource.js'
import { parseRelease } from '../helm/vcluster-release.js'
import { builtinKind, builtinKinds } from './kind/builtin-kind.js'
import { checkCopyable } from './kind/copyable.js'
import { namesOfKind } from './kind/names.js'
import { sampleProblems } from './kind/sample-problems.js'
import { type AskedFlags, ask } from './programs/ask.js'
import type { CreateArguments } from './programs/program-kind.js'
import { runCreate } from './run-create.js'
import { sampleContents } from './sample/builtin-samples.js'
import type { OpenApiSchema } from './schema/json-schema.js'
import { patternExample } from './schema/pattern-example.js'
import { sampleOfSchema } from './schema/sample-of-schema.js'
import { schemaReference } from './schema/schema-reference.js'
import { schemaReferences } from './schema/schema-references.js'
import { literal } from './templates/literal.js'
import { pluginFiles } from './templates/plugin-files.js'
import { syncerFile } from './templates/syncer.js'
import { testFile } from './templates/test.js'
import { typeOfSchema } from './templates/type-of-schema.js'

const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [code, hash, checksum]
              properties:
                code: { type: string, pattern: '^[0-9]+$' }
                hash: { type: string, pattern: '^[0-9a-f]{64}(?:-x)?$', minLength: 66 }
                checksum:
                  type: string
                  x-kubernetes-validations: [{ rule: "self == '8e1f'", message: the checksum is that of the code }]
`

/** A terminal that types each answer after its question. */
class Typist {
  readonly input = Object.assign(new PassThrough(), { isTTY: true })
  readonly output = Object.assign(new PassThrough(), { isTTY: true })
  said = ''

  constructor(answers: readonly string[]) {
    const left = [...answers]
    this.output.on('data', (chunk) => {
      this.said += chunk
      if (!/\] $/.test(String(chunk))) return
      const next = left.shift()
      if (next === undefined) this.input.end()
      else this.input.write(`${next}\n`)
    })
  }
}

const defaults: AskedFlags = { kind: 'configmaps', direction: 'down', vclusterVersion: '0.36.1' }

void t.test('missing flags are asked for on a terminal, until the answer is valid', async (t) => {
  const typist = new Typist(['secrets', 'sideways', 'up', ''])
  t.same(await ask({}, defaults, typist), { kind: 'secrets', direction: 'up', vclusterVersion: '0.36.1' })
  t.equal(typist.said.match(/Direction/g)?.length, 2)
  const one = new Typist(['both'])
  const given = { kind: 'pods', vclusterVersion: '0.19' }
  t.same(await ask(given, defaults, one), { ...given, direction: 'both' })
  t.notMatch(one.said, /Kind|Release/)
})

void t.test('without a terminal nothing is asked, and closed questions end with an error', async (t) => {
  const { input, output } = new Typist([])
  t.same(await ask({ kind: 'pods' }, defaults, { input: new PassThrough(), output }), {
    ...defaults,
    kind: 'pods',
  })
  await t.rejects(ask({}, defaults, { input, output }), { message: /Nothing was created/ })
})

void t.test('kinds have readable names in the generated code', (t) => {
  const named = (kind: string, plural: string) => {
    const { singular, pluralName, file } = namesOfKind({ kind, plural })
    return [singular, pluralName, file]
  }
  t.same(named('ConfigMap', 'configmaps'), ['configMap', 'configMaps', 'config-map'])
  t.same(named('NetworkPolicy', 'networkpolicies'), ['networkPolicy', 'networkPolicies', 'network-policy'])
  t.same(named('CSIDriver', 'csidrivers'), ['csiDriver', 'csiDrivers', 'csi-driver'])
  t.same(named('ServiceCIDR', 'servicecidrs'), ['serviceCIDR', 'serviceCIDRs', 'service-cidr'])
  t.same(named('Endpoints', 'endpoints'), ['endpoints', 'endpoints', 'endpoints'])
  t.same(named('My-kind', 'my-kinds'), ['myKind', 'myKinds', 'my-kind'], 'identifiers have no dashes')
  t.same(named('NetworkAttachmentDefinition', 'network-attachment-definitions'), [
    'networkAttachmentDefinition',
    'networkAttachmentDefinitions',
    'network-attachment-definition',
  ])
  t.end()
})

void t.test('JSON becomes a TypeScript literal, with any keys and strings', (t) => {
  const value = { a: "it's", 'b-c': ['x', 1, null], $d: '"', n: 12345678901234567890n }
  t.equal(literal(value), `{ a: "it's", 'b-c': ['x', 1, null], $d: '"', n: 12345678901234567890n }`)
  t.equal(literal(JSON.parse('{"__proto__":1}')), "{ ['__proto__']: 1 }")
  t.equal(literal({ long: 'x'.repeat(100) }), `{\n  long: '${'x'.repeat(100)}',\n}`)
  t.end()
})

const schema = {
  type: 'object',
  required: ['mode', 'size', 'parts'],
  properties: {
    mode: { type: 'string', enum: ['slow', 'fast'] },
    size: { type: 'integer', minimum: 3, description: 'How large. */' },
    parts: { type: 'array', minItems: 1, items: { type: 'object', properties: { on: { type: 'boolean' } } } },
    port: { 'x-kubernetes-int-or-string': true },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    rows: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
  },
}

void t.test('a schema becomes a type and two different samples', (t) => {
  t.same(sampleOfSchema(schema, 1), { mode: 'slow', size: 3, parts: [{ on: false }] })
  t.same(sampleOfSchema(schema, 2), { mode: 'fast', size: 4, parts: [{ on: true }] })
  t.equal(
    typeOfSchema(schema),
    `{
  mode: 'slow' | 'fast'
  /** How large. *\\/ */
  size: number
  parts: readonly {
    on?: boolean
  }[]
  port?: number | string
  tags?: Record<string, string>
  rows?: readonly (readonly string[])[]
}`,
  )
  t.end()
})

void t.test('an API server accepts the sample of every built-in kind and its change', async (t) => {
  const kinds = (await builtinKinds()).map(formatResource)
  t.same(
    Object.keys(sampleContents).filter((name) => !kinds.includes(name)),
    [],
  )
  for (const name of Object.keys(sampleContents)) {
    const kind = await builtinKind(name)
    t.same(await sampleProblems({ kind, direction: 'down' }), [], name)
  }
})

void t.test('the generated test expects the names and labels of its vcluster version', async (t) => {
  const kind = await builtinKind('priorityclasses')
  const design = { name: 'x', kind, direction: 'down', packages: {} } as const
  const old = testFile({ ...design, vcluster: parseRelease('0.20.0') })
  t.match(old, "labelMode: 'hashed'")
  t.match(old, "const copyKey = { namespace: '', name: 'vcluster-sample-x-vcluster-vc-x-vc' }")
  t.notMatch(testFile({ ...design, vcluster: parseRelease('0.21') }), 'labelMode')
})

void t.test('a generated plugin does not copy fields that would affect the host', async (t) => {
  const syncerOf = async (name: string, direction: 'down' | 'both' = 'down') => {
    const kind = await builtinKind(name)
    return syncerFile({ name: 'x', kind, direction, packages: {}, vcluster: parseRelease('0.36') })
  }
  t.match(await syncerOf('storageclasses'), "'storageclass.kubernetes.io/is-default-class',")
  t.match(
    await syncerOf('ingressclasses'),
    "annotations: { deny: ['ingressclass.kubernetes.io/is-default-class'] }",
  )
  t.match(await syncerOf('endpointslices'), "labels: { deny: ['kubernetes.io/service-name'] }")
  t.match(await syncerOf('priorityclasses', 'both'), "excludeFields: ['globalDefault']")
  const deployments = await syncerOf('deployments')
  t.match(deployments, "'spec.template.metadata.labels.release': 'refused'")
  t.match(deployments, `'spec.template.metadata.labels."vcluster.loft.sh/managed-by"': 'refused'`)
})

void t.test(
  'kinds that would affect the host outside the tenant can be copied up but not down',
  async (t) => {
    const names = ['nodes', 'rolebindings', 'clusterroles', 'validatingwebhookconfigurations', 'pods']
    for (const name of [...names, 'horizontalpodautoscalers']) {
      const { resource } = await builtinKind(name)
      for (const direction of ['down', 'both'] as const)
        t.throws(
          () => checkCopyable(resource, direction),
          { code: 'UNSUPPORTED_KIND', message: resource.plural },
          name,
        )
      t.doesNotThrow(() => checkCopyable(resource, 'up'), name)
    }
    const own = { group: 'example.com', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: true }
    t.doesNotThrow(() => checkCopyable(own, 'down'), 'a custom kind of the same name')
  },
)

void t.test('a plugin that copies up uses a label in its sample, test and README', async (t) => {
  const filesOf = async (name: string) => {
    const kind = await builtinKind(name)
    return pluginFiles({ name: 'x', kind, direction: 'up', packages: {}, vcluster: parseRelease('0.36') })
  }
  const label = /plugin\.vcluster\.loft\.sh\/sync-from-host/
  for (const name of ['secrets', 'configmaps', 'pods', 'persistentvolumes', 'nodes']) {
    const files = await filesOf(name)
    const about = Object.keys(files).filter((file) => label.test(files[file] ?? ''))
    t.match(about.join(' '), /README\.md host-samples\.yaml .*syncer\.ts .*syncer\.test\.ts/, name)
  }
  t.match((await filesOf('secrets'))['README.md'], /tokens of the host's service accounts, bootstrap/)
  t.notMatch(JSON.stringify(await filesOf('storageclasses')), label, 'classes are shown as a whole')
})

/** Runs `create` in its own folder, without a terminal. */
async function created(args: Partial<CreateArguments>, before: Record<string, string> = {}) {
  const output = new PassThrough()
  const dir = t.testdir({ plugin: before })
  await runCreate({ folder: join(dir, 'plugin'), ...args }, { input: new PassThrough(), output })
  return { said: String(output.read()), files: await readdir(join(dir, 'plugin')) }
}

void t.test('a folder that is not empty is not changed', async (t) => {
  await t.rejects(created({}, { 'notes.txt': 'mine' }), {
    code: 'FOLDER_NOT_EMPTY',
    message: /plugin is not empty/,
  })
  const { said, files } = await created({})
  t.match(said, /npm install/)
  t.match(files.join(' '), /Dockerfile.*README.md.*devspace.yaml.*package.json.*plugin.yaml/)
})

void t.test('the tarball of the SDK is copied, and a link to a clone is reported', async (t) => {
  const dir = t.testdir({ 'sdk.tgz': 'packed', old: {}, link: {} })
  const sdk = `file:${join(dir, 'sdk.tgz')}`
  const { said } = await created({ folder: join(dir, 'old'), sdk, vclusterVersion: '0.18' })
  t.notMatch(said, 'is a link')
  t.match(said, /old\/sdk\.tgz$/m)
  const read = (file: string) => readFile(join(dir, 'old', file), 'utf8')
  t.equal(await read('sdk.tgz'), 'packed')
  t.match(
    await read('src/config-map-syncer.test.ts'),
    /If the syncer changes it on purpose, correct this line\./,
  )
  t.match(await read('package.json'), '"vcluster-plugin-sdk": "file:sdk.tgz"')
  t.match(JSON.parse(await read('package.json')), {
    scripts: { types: 'tsc -p .' },
    devDependencies: { typescript: /^\d+\.\d+\.\d+$/ },
  })
  t.match(await read('Dockerfile'), /^COPY package.json package-lock.json \*.tgz .\/$/m)
  t.notMatch(await read('README.md'), /in-syncer/, 'this vcluster starts no plugins')
  t.match((await created({ folder: join(dir, 'link') })).said, /link to .*: run npm run build there first/)
  for (const sdk of ['file:none.tgz', 'none.tgz', 'file:none'])
    await t.rejects(created({ folder: join(dir, 'new'), sdk }), {
      code: 'NO_SDK',
      message: /none(\.tgz)? does not exist; make the SDK's package with npm pack/,
    })
  await t.rejects(readdir(join(dir, 'new')), { code: 'ENOENT' })
})

void t.test('a file that cannot be written leaves no half of a project', async (t) => {
  const dir = t.testdir({ 'sdk.tgz': {}, new: {} })
  const folder = join(dir, 'new')
  const failing = created({ folder, sdk: `file:${join(dir, 'sdk.tgz')}` })
  const error = await failing.then(
    () => undefined,
    (error: unknown) => error,
  )
  t.match(error, { syscall: 'copyfile', dest: join(folder, 'sdk.tgz') })
  t.strictSame(await readdir(folder), [])
})

void t.test('invalid input is rejected before anything is written', async (t) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'create-')), 'new')
  t.teardown(() => rm(join(folder, '..'), { recursive: true }))
  const refused = (args: Partial<CreateArguments>, code: string, message = /./) =>
    t.rejects(created({ folder, ...args }), code ? { code, message } : { name: 'UsageError', message })
  await refused(
    { name: 'My_Plugin' },
    '',
    /^"My_Plugin" cannot be the name .*; pass for example --name my-plugin$/,
  )
  await refused(
    { kind: 'nonsense' },
    'UNKNOWN_KIND',
    /no built-in kind nonsense and no file of that name\. Pass a kind/,
  )
  await refused(
    { kind: 'confgmaps' },
    'UNKNOWN_KIND',
    /no built-in kind confgmaps .*\. Did you mean configmaps\? Pass a kind/,
  )
  await refused({ kind: './nofile.yaml' }, 'UNKNOWN_KIND', /^there is no file \.\/nofile\.yaml; --kind takes/)
  await refused({ kind: 'package.json' }, 'INVALID_CRD')
  const broken = t.testdir({ 'package.json': '{ "name": "x", ' })
  await refused({ folder: broken, kind: 'operator' }, 'NO_PLUGIN', /package\.json is not JSON: Expected/)
  await refused({ kind: 'events' }, 'UNSUPPORTED_KIND')
  await refused({ kind: 'pods' }, 'UNSUPPORTED_KIND', /--direction up/)
  await refused({ vclusterVersion: '0.8' }, '')
  await t.rejects(readdir(folder), { code: 'ENOENT' })
})

void t.test('a missing sample is reported at once, with the reasons and the files to fill in', async (t) => {
  const dir = t.testdir({ 'widgets.yaml': widgets })
  const { said } = await created({ kind: join(dir, 'widgets.yaml'), sdk: 'file:.' })
  t.match(said, /spec\.checksum: .*the checksum is that of the code/)
  t.match(said, /spec\.hash: .*at least 66 chars long/)
  t.match(said, /in samples\.yaml and in `sample` of src\/widget-syncer\.test\.ts/)
  t.match(
    (await created({ kind: join(dir, 'widgets.yaml'), direction: 'up', sdk: 'file:.' })).said,
    'host-samples.yaml',
  )
})

void t.test('a plugin is written even if its sample cannot be copied', async (t) => {
  const rules = 'type: object, required: [namespace, size], properties: { size: { type: integer }, '
  const schema = widgets.replace(
    /spec:\n {14}type[\s\S]*$/,
    `spec: { ${rules}namespace: { type: string } } }\n`,
  )
  const dir = t.testdir({ 'widgets.yaml': schema })
  for (const direction of ['down', 'both']) {
    const { said } = await created({ kind: join(dir, 'widgets.yaml'), direction, sdk: 'file:.' })
    t.match(said, /spec\.namespace: would reach what belongs to the host/)
  }
})

void t.test('every field that prevents a copy of the sample is reported', async (t) => {
  const references = schemaReferences({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { namespace: text, nodes: { items: { properties: { nodeName: text } } } },
      },
    },
  })
  const content = { spec: { namespace: 'a', nodes: [{ nodeName: 'b' }] } }
  const kind = { ...(await builtinKind('configmaps')), content, references, problems: [] }
  const source = { from: 'definition', definition: customResource } as const
  const told = await sampleProblems({ kind: { ...kind, source }, direction: 'down' })
  t.same(told.map(({ field }) => field).sort(), ['spec.namespace', 'spec.nodes[0].nodeName'])
  t.same(await sampleProblems({ kind: { ...kind, source }, direction: 'up' }), [])
})

void t.test('a pattern becomes two different texts that match it', (t) => {
  for (const pattern of [
    '^[0-9]+$',
    '^(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    '^(?:Exact|Prefix)-[A-F]{3}(\\.[^a-y]{2,})*z$',
    '^arn:aws:iam::\\d{12}:role/\\w+$',
    '^[[:alpha:]]x$',
  ]) {
    const found = ([1, 2] as const).map((variant) => patternExample(pattern, variant))
    if (pattern.includes('[:')) t.same(found, [undefined, undefined], 'classes of Go are not known here')
    else for (const text of found) t.match(text, new RegExp(pattern))
  }
  t.equal(patternExample('^(a', 1), undefined)
  t.equal(patternExample('^(?=b)a$', 1), undefined)
  t.end()
})

const text = { type: 'string' }
const customResource: CustomResourceDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [],
  },
}
const named = { type: 'object', properties: { name: { type: 'string' } } }
const keyed = (description: string) => ({
  type: 'object',
  properties: {
    name: { type: 'string' },
    key: { type: 'string', description },
    optional: { type: 'boolean' },
  },
})

void t.test('references in a schema are found by names and shapes', (t) => {
  const found = (name: string, schema: OpenApiSchema) => schemaReference(name, schema)
  t.match(found('secretName', text), { below: [], resource: 'secrets' })
  t.match(found('pullSecretNames', { type: 'array', items: text }), { below: ['*'], resource: 'secrets' })
  t.match(found('tokenSecretRef', named), { below: ['name'], resource: 'secrets' })
  t.match(found('configMapRef', named), { resource: 'configMaps' })
  t.match(found('serviceAccountName', text), { resource: 'serviceAccounts' })
  t.match(found('claimName', text), { resource: 'persistentVolumeClaims' })
  t.match(found('username', keyed('The key of the secret to select from.')), { resource: 'secrets' })
  t.match(found('username', keyed('A key of a ConfigMap.')), { resource: 'configMaps' })
  t.match(found('username', keyed('A key.')), { rule: 'refused' }, 'no description names the kind')
  const byKind = {
    type: 'object',
    properties: { ...named.properties, kind: { type: 'string', default: 'Service' } },
  }
  t.match(found('backend', byKind), { resource: 'services' })
  t.match(found('issuerRef', named), { rule: 'plain' })
  t.match(found('podSelector', { type: 'object', properties: { matchLabels: {}, matchExpressions: {} } }), {
    rule: 'label-selector',
  })
  for (const name of ['nodeName', 'hostPath', 'namespace', 'namespaceSelector', 'bearerTokenFile'])
    t.match(found(name, text), { rule: 'refused' }, name)
  for (const name of ['hostnames', 'secretTemplate', 'passwordPolicy', 'serviceType'])
    t.equal(found(name, text), undefined, name)
  t.equal(found('services', { ...named, properties: { ...named.properties, image: text } }), undefined)
  t.end()
})

void t.test('references of a cluster-scoped object need a namespace, or the object is not copied', (t) => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { secretName: text } } },
  }
  t.match(schemaReferences(schema), [{ path: 'spec.secretName', resource: 'secrets' }])
  t.same(schemaReferences(schema, { namespaced: false })[0]?.rules, { 'spec.secretName': 'refused' })
  t.end()
})
