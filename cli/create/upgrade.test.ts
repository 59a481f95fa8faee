import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import type { CreateArguments } from './programs/program-kind.js'
import { runCreate } from './run-create.js'
import { runUpgrade } from './run-upgrade.js'
import { contentDigest, parseRecord, recordFile } from './template-record.js'

const terminal = () => ({ input: new PassThrough(), output: new PassThrough() })
const read = (...path: string[]) => readFile(join(...path), 'utf8')

async function created(t: Test, args: Partial<CreateArguments>): Promise<string> {
  const folder = join(t.testdir(), 'mine')
  await runCreate({ folder, sdk: '1.0.0', ...args }, terminal())
  return folder
}

async function upgraded(folder: string, write = false): Promise<string[]> {
  const { input, output } = terminal()
  await runUpgrade({ folder, write, sdk: '1.0.0' }, { input, output })
  return String(output.read()).trim().split('\n')
}

/** Makes a file look as if templates wrote it before, and another one today. */
async function writtenByOldTemplates(folder: string, path: string, content: string): Promise<void> {
  const record = parseRecord(await read(folder, recordFile))
  if (!record) throw new Error(`${folder} has no record`)
  const files = { ...record.files, [path]: contentDigest(content) }
  await writeFile(join(folder, recordFile), JSON.stringify({ ...record, sdk: '0.0.9', files }))
}

void t.test('a new project has no changes, of each kind of program and with its answers', async (t) => {
  const kinds: Partial<CreateArguments>[] = [
    { kind: 'operator', license: 'MIT' },
    { kind: 'cnpg' },
    { kind: 'helm' },
    { kind: 'helm', chart: 'examples/memcached-helm/charts/memcached' },
    { kind: 'secrets', direction: 'up', vclusterVersion: '0.20.0', license: 'Apache-2.0' },
  ]
  for (const args of kinds) {
    const folder = await created(t, args)
    t.match(
      await upgraded(folder),
      [/^the templates of \S+ have no changes for this project$/],
      `${args.kind}`,
    )
  }
})

void t.test(
  'changes of the templates are listed, and taken over where the user changed nothing',
  async (t) => {
    const folder = await created(t, { kind: 'operator' })
    const fresh = { dockerfile: await read(folder, 'Dockerfile'), lint: await read(folder, '.oxlintrc.json') }
    await writeFile(join(folder, 'Dockerfile'), 'FROM old\n')
    await writtenByOldTemplates(folder, 'Dockerfile', 'FROM old\n')
    await writeFile(join(folder, '.oxlintrc.json'), '{"mine": true}\n')
    await writtenByOldTemplates(folder, '.oxlintrc.json', '{"old": true}\n')
    await writeFile(join(folder, 'tsconfig.json'), '{"mine": true}\n')
    await writtenByOldTemplates(folder, 'gone.md', 'x')
    await writeFile(join(folder, 'gone.md'), 'x')
    await rm(join(folder, 'samples.yaml'))
    const record = parseRecord(await read(folder, recordFile))
    const { '.vscode/launch.json': _, ...files } = record?.files ?? {}
    await writeFile(join(folder, recordFile), JSON.stringify({ ...record, files }))
    await rm(join(folder, '.vscode'), { recursive: true })

    const told = await upgraded(folder)
    t.match(told[0], /^templates of 0\.0\.9, now \S+:$/)
    t.strictSame(told.slice(1), [
      '  conflict  .oxlintrc.json: you and the templates changed it',
      '  added     .vscode/launch.json: a new file of the templates',
      '  changed   Dockerfile: the templates changed it, you did not',
      '  dropped   gone.md: the templates no longer have it',
      '',
      'vcluster-plugin upgrade --write takes this over',
    ])
    t.equal(await read(folder, 'Dockerfile'), 'FROM old\n', 'nothing is written')

    const [last] = (await upgraded(folder, true)).slice(-1)
    t.equal(last, 'compare .oxlintrc.json with .oxlintrc.json.new, then delete that file')
    t.equal(await read(folder, 'Dockerfile'), fresh.dockerfile)
    t.equal(await read(folder, '.oxlintrc.json'), '{"mine": true}\n')
    t.equal(await read(folder, '.oxlintrc.json.new'), fresh.lint)
    t.equal(await read(folder, 'tsconfig.json'), '{"mine": true}\n')
    t.match(await read(folder, '.vscode/launch.json'), '"dev"')
    t.match(await upgraded(folder), [/have no changes/], 'the record has them now')
  },
)

void t.test('a folder without a record is refused', async (t) => {
  await t.rejects(upgraded(t.testdir()), {
    code: 'NO_PLUGIN',
    message: /has no \.vcluster-plugin-template\.json/,
  })
  const folder = t.testdir({ [recordFile]: '{"sdk":1}' })
  await t.rejects(upgraded(folder), { code: 'NO_PLUGIN', message: /has an invalid / })
})

void t.test('a definition is found from the project, wherever the command runs', async (t) => {
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: cars.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: cars, singular: car, kind: Car, listKind: CarList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { seats: { type: integer } } } } } }
`
  const dir = t.testdir({ 'car.yaml': definition })
  const folder = join(dir, 'mine')
  await runCreate({ folder, sdk: '1.0.0', kind: join(dir, 'car.yaml') }, terminal())
  t.equal(parseRecord(await read(folder, recordFile))?.create.kind, '../car.yaml')
  t.match(await upgraded(folder), [/have no changes/])
})

void t.test('create writes a licence and a git repository if asked', async (t) => {
  const mit = await created(t, { kind: 'operator', name: 'my-sites', license: 'MIT', git: true })
  t.match(await read(mit, 'LICENSE'), /^MIT License\n\nCopyright \(c\) 20\d\d the my-sites authors\n/)
  t.equal(JSON.parse(await read(mit, 'package.json')).license, 'MIT')
  const staged = execFileSync('git', ['diff', '--cached', '--name-only'], { cwd: mit, encoding: 'utf8' })
  t.match(staged, /^LICENSE\n(.+\n)*src\/main\.ts$/m)
  const apache = await created(t, { kind: 'cnpg', license: 'Apache-2.0' })
  t.match(await read(apache, 'LICENSE'), /Apache License\s+Version 2\.0/)
  const none = await created(t, { kind: 'cnpg' })
  t.equal(JSON.parse(await read(none, 'package.json')).license, undefined)
  await t.rejects(read(none, 'LICENSE'), { code: 'ENOENT' })
})

void t.test('the licence keeps the year in which the project was created', async (t) => {
  const folder = await created(t, { kind: 'operator', license: 'MIT' })
  const record = parseRecord(await read(folder, recordFile))
  if (!record) throw new Error(`${folder} has no record`)
  const text = (await read(folder, 'LICENSE')).replace(/\(c\) \d+/, '(c) 2019')
  await writeFile(join(folder, 'LICENSE'), text)
  const files = { ...record.files, LICENSE: contentDigest(text) }
  const create = { ...record.create, year: 2019 }
  await writeFile(join(folder, recordFile), JSON.stringify({ ...record, create, files }))
  t.match(await upgraded(folder, true), [/have no changes/])
  t.equal(parseRecord(await read(folder, recordFile))?.create.year, 2019)
  t.match(await upgraded(folder), [/have no changes/], 'also for the next upgrade')
})
