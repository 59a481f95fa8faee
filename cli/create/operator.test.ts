import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import type { CreateArguments } from './programs/program-kind.js'
import { runCreate } from './run-create.js'
import { runUpgrade } from './run-upgrade.js'

function quiet() {
  return { input: new PassThrough(), output: new PassThrough() }
}

const create = (args: Partial<CreateArguments> & { folder: string }) =>
  runCreate({ kind: 'operator', sdk: '1.0.0', ...args }, quiet())

void t.test('--api names the kind in the files, the code and the tests of an operator', async (t) => {
  // The folder has a word of the templates in its name.
  const folder = join(t.testdir(), 'website-operator')
  await create({ folder, api: 'shop.my.domain/v1/OrderPolicy' })
  const read = (path: string) => readFile(join(folder, path), 'utf8')
  t.strictSame((await readdir(join(folder, 'src'))).toSorted(), [
    'kinds.ts',
    'main.ts',
    'order-policy-controller.test.ts',
    'order-policy-controller.ts',
    'register.ts',
  ])
  const kinds = await read('src/kinds.ts')
  t.match(kinds, "group: 'shop.my.domain',\n  version: 'v1',\n  kind: 'OrderPolicy',")
  t.match(
    kinds,
    '/** An OrderPolicy: a number of equal replicas of an image. */\nexport const orderPolicies = ',
  )
  t.match(await read('samples.yaml'), 'apiVersion: shop.my.domain/v1\nkind: OrderPolicy\n')
  t.match(await read('src/order-policy-controller.test.ts'), "test('an OrderPolicy gets a Deployment")
  t.match(await read('README.md'), /^# website-operator$/m)
  const paths = [
    'README.md',
    'samples.yaml',
    ...(await readdir(join(folder, 'src'))).map((name) => `src/${name}`),
  ]
  for (const path of paths)
    t.notMatch((await read(path)).replaceAll('website-operator', ''), /website|web\.example/i, path)
})

void t.test('upgrade has no changes for an operator with another kind', async (t) => {
  const folder = join(t.testdir(), 'orders')
  await create({ folder, api: 'shop.my.domain/v1/Order' })
  const terminal = quiet()
  await runUpgrade({ folder, write: false, sdk: '1.0.0' }, terminal)
  t.match(String(terminal.output.read()), /have no changes for this project/)
})

void t.test('a kind whose name the code needs is refused before anything is written', async (t) => {
  const folder = t.testdir()
  const at = join(folder, 'new')
  await t.rejects(
    create({ folder: at, api: 'a.b/v1/Class' }),
    /cannot name the kind Class, because .* the word class/,
  )
  await t.rejects(
    create({ folder: at, api: 'a.b/v1/Deployment' }),
    /the word deployment; choose another kind/,
  )
  await t.rejects(create({ folder: at, api: 'Order' }), /--api must be GROUP\/VERSION\/KIND/)
  t.strictSame(await readdir(folder), [])
})
