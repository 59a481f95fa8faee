// Tests the kinds that `create` adds to the project of a program, with a chart or in code, and what it leaves as it is.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { withChartFiles, withPackageParts } from './edits/project-files.js'
import { withAwait, withRegistration } from './edits/register-file.js'
import type { CreateArguments } from './programs/program-kind.js'
import { runCreate } from './run-create.js'
import { runUpgrade } from './run-upgrade.js'
import { mainFile, registerFile } from './templates/operator/kind.js'
import { programDockerfile } from './templates/program-image.js'

function terminal() {
  return { input: new PassThrough(), output: new PassThrough() }
}

/** Runs the command; returns what it prints. */
async function create(args: CreateArguments): Promise<string> {
  const streams = terminal()
  await runCreate({ sdk: '1.0.0', ...args }, streams)
  return String(streams.output.read())
}

const order = { kind: 'operator', api: 'shop.my.domain/v1/Order' }
const cache = { kind: 'helm', api: 'cache.my.domain/v1/Cache' }
const read = (...path: string[]) => readFile(join(...path), 'utf8')
const loop = {
  imports: ["import { helmController, type HelmControllerOptions } from 'vcluster-plugin-sdk/helm'"],
  lines: (operator: string) => ['for (const entry of [])', `  ${operator}.register(entry)`],
  needsOptions: true,
}
const call = {
  imports: ["import { a } from './a.js'"],
  lines: (operator: string) => [`${operator}.register(a)`],
}

void t.test('a registration is added to the function that the user has written', async (t) => {
  t.equal(
    withRegistration(registerFile, call),
    registerFile
      .replace(/controller.js'\n/, (end) => `${end}import { a } from './a.js'\n`)
      .replace(/\n\}\n$/, '\n  operator.register(a)\n}\n'),
  )
  const own = `import {\n  type Operator,\n} from "vcluster-plugin-sdk/operator";

const limits = { mine: true };
export async function register(to: Operator, options: { a?: 1 } = {}): Promise<void> {
  if (limits.mine) {
    to.register(mine);
  }
}
`
  t.equal(
    withRegistration(own, call),
    own
      .replace('operator";\n', `operator";\nimport { a } from './a.js';\n`)
      .replace(/\n\}\n$/, '\n  to.register(a);\n}\n'),
    'another name, semicolons, a second parameter',
  )
  t.equal(withRegistration(own, loop), undefined, 'its second parameter is not the one that tests need')
  for (const text of [
    'export const register = (operator: Operator) => operator.register(mine)\n',
    'export function register(plugin: Plugin): void {\n}\n',
    `${registerFile}${registerFile}`,
    '',
  ])
    t.equal(withRegistration(text, call), undefined, text)
})

void t.test('a program with charts awaits, and its image has their files', async (t) => {
  const edited = withRegistration(registerFile, loop) ?? ''
  t.match(edited, /^export async function register\(\n {2}operator: Operator,\n {2}options: Pick</m)
  t.match(edited, /^\): Promise<void> \{\n {2}operator.register\(websiteController\)\n {2}for \(/m)
  t.equal(withAwait(mainFile('a')), mainFile('a').replace('register(op', 'await register(op'))
  t.equal(withAwait('await register(mine)\n'), 'await register(mine)\n')
  t.equal(withAwait('void register(mine)\n'), undefined)
  const files = ['watches.yaml', 'charts', 'crds']
  const image = programDockerfile('operator', {}, files)
  t.equal(withChartFiles(programDockerfile('operator', {})), image)
  t.equal(withChartFiles(image), image)
  t.equal(withChartFiles('FROM scratch\n'), undefined)
})

void t.test('package.json gets what it lacks, and keeps what it has', async (t) => {
  const text = '{\n\t"scripts": {"crd": "mine"},\n\t"dependencies": {"b": "2"}\n}\n'
  const added = { dependencies: { a: '1', b: '1' }, scripts: { crd: 'crd' } }
  t.strictSame(JSON.parse(withPackageParts(text, added)), {
    scripts: { crd: 'mine' },
    dependencies: { a: '1', b: '2' },
  })
  t.match(withPackageParts(text, added), /^\t"scripts"/m)
  t.equal(withPackageParts(text, { ...added, dependencies: { b: '1' } }), text)
})

void t.test(
  'a controller in code is added to a program with a chart, and the second one next to it',
  async (t) => {
    const folder = join(t.testdir(), 'web-operator')
    await create({ folder, kind: 'helm' })
    const register = await read(folder, 'src/register.ts')
    await writeFile(join(folder, 'src/register.ts'), `// Mine.\n${register}`)
    t.match(
      await create({ folder, ...order }),
      /src\/order-controller.ts\n[\s\S]*The program has a controller for each Order: npm install/,
    )
    t.match(await read(folder, 'src/kinds.ts'), "kind: 'Order'")
    t.match(
      await create({ folder, kind: 'operator', api: 'shop.my.domain/v1/OrderPolicy' }),
      'src/order-policy-kind.ts',
    )
    t.match(await read(folder, 'src/order-policy-controller.ts'), "from './order-policy-kind.js'")
    const edited = await read(folder, 'src/register.ts')
    t.match(edited, /^\/\/ Mine.\n/)
    for (const line of [
      "import { orderController } from './order-controller.js'\n",
      '  operator.register(orderController)\n',
    ])
      t.equal(edited.split(line).length, 2, line)
    t.match(edited, 'operator.register(orderPolicyController)\n}\n')
    t.match(JSON.parse(await read(folder, 'package.json')), {
      dependencies: { zod: /\d/ },
      scripts: { crd: /crd/ },
    })
    const samples = parseAllDocuments(await read(folder, 'samples.yaml')).map((one) => one.toJS())
    t.match(samples, [
      { kind: 'Web', metadata: { name: 'sample' } },
      { kind: 'Order', metadata: { name: 'order-sample' } },
      { kind: 'OrderPolicy', metadata: { name: 'order-policy-sample' } },
    ])
  },
)

void t.test('a chart is added to a program in code, and again the program says what exists', async (t) => {
  const folder = join(t.testdir(), 'shop')
  await create({ folder, ...order })
  t.match(await create({ folder, ...cache }), 'The program keeps a release for each Cache: npm test')
  t.match(await read(folder, 'src/main.ts'), 'await register(operator)')
  t.match(
    await read(folder, 'src/register.ts'),
    /orderController\)\n {2}for \(const entry of await loadWatches/,
  )
  t.match(await read(folder, 'Dockerfile'), 'COPY watches.yaml /operator/watches.yaml\n')
  const before = await Promise.all(
    (await readdir(join(folder, 'src'))).map((name) => read(folder, 'src', name)),
  )
  await t.rejects(create({ folder, ...cache }), /watches.yaml has Cache of the group cache.my.domain already/)
  await t.rejects(create({ folder, ...cache, kind: 'operator' }), /watches.yaml has Cache of the group/)
  await t.rejects(create({ folder, ...order }), /kinds.ts has Order of the group shop.my.domain already/)
  await t.rejects(
    create({ folder, ...order, kind: 'helm' }),
    /kinds.ts has Order of the group shop.my.domain already/,
  )
  await t.rejects(create({ folder, kind: 'operator' }), /is a program: name the kind to add to it with --api/)
  await writeFile(join(folder, 'src/car-controller.ts'), 'mine')
  await t.rejects(create({ folder, kind: 'operator', api: 'a.b/v1/Car' }), {
    code: 'FOLDER_NOT_EMPTY',
    message: /car-controller.ts exists; nothing was written/,
  })
  t.equal(await read(folder, 'src/car-controller.ts'), 'mine')
  await t.rejects(read(folder, 'src/car-kind.ts'), { code: 'ENOENT' })
  const names = (await readdir(join(folder, 'src'))).filter((name) => name !== 'car-controller.ts')
  t.strictSame(await Promise.all(names.map((name) => read(folder, 'src', name))), before)
})

void t.test('where the program registers in another way, the lines are printed', async (t) => {
  const folder = join(t.testdir(), 'shop')
  await create({ folder, ...order })
  const own = 'export const register = (operator: Operator) => operator.register(mine)\n'
  await writeFile(join(folder, 'src/register.ts'), own)
  await writeFile(join(folder, 'Dockerfile'), 'FROM scratch\n')
  const told = await create({ folder, kind: 'operator', api: 'a.b/v1/Car' })
  t.match(
    told,
    /Register the controller in src\/register.ts:\n\n {2}import \{ carController \} from '.\/car-controller.js'/,
  )
  t.match(await create({ folder, ...cache }), /Register the kinds of watches.yaml[\s\S]*In the Dockerfile/)
  t.equal(await read(folder, 'src/register.ts'), own)
  t.notMatch(await read(folder, 'src/main.ts'), 'await register')
})

void t.test('upgrade says nothing of a project whose chart is from a server', async (t) => {
  const parent = t.testdir()
  const folder = join(parent, 'web-operator')
  await create({ folder, kind: 'helm' })
  const origin = 'web 1.0.0 of oci://registry.example/web, sha256:0'
  const again = join(parent, 'again')
  await create({ folder: again, kind: 'helm', chart: join(folder, 'charts/web'), origin })
  t.match(await read(again, 'watches.yaml'), `# charts/web is ${origin}\n- group:`)
  const streams = terminal()
  await runUpgrade({ folder: again, write: false, sdk: '1.0.0' }, streams)
  t.match(String(streams.output.read()), /have no changes for this project/)
})
