import { join, relative } from 'node:path'
import t from 'tap'
import { describeFailure } from './failure.js'
import { findPlugin } from './find-plugin.js'
import { readPluginLine } from './plugin-log.js'

void t.test("the plugin's log becomes readable lines", async (t) => {
  const logged = (fields: object) => readPluginLine(JSON.stringify({ level: 30, time: 1, ...fields }))
  t.strictSame(logged({ msg: 'the plugin is running', syncers: ['a'] }), {
    text: 'the plugin is running  syncers=["a"]',
    entry: { message: 'the plugin is running', fields: { syncers: ['a'] } },
    level: 'info',
    running: true,
  })
  t.match(logged({ level: 50, msg: 'oh', key: 'a/b', error: { message: 'two words' } }), {
    text: 'oh  key=a/b error="two words"',
    level: 'error',
  })
  t.match(readPluginLine('{"level":30,"msg":"cut o'), { level: 'plain', running: false })
  t.strictSame(readPluginLine('hello'), { text: 'hello', level: 'plain', running: false })
  t.ok(logged({ msg: 'the operator is running', controllers: ['a'] })?.running)
  const inside = { '@level': 'warn', '@timestamp': 'now', '@message': 'the plugin is running', key: 'a/b' }
  t.strictSame(readPluginLine(JSON.stringify(inside)), {
    text: 'the plugin is running  key=a/b',
    entry: { message: 'the plugin is running', fields: { key: 'a/b' } },
    level: 'warn',
    running: true,
  })
  t.equal(readPluginLine('1|1|unix|/tmp/plugin1|grpc|'), undefined, 'which is for the vcluster process')
})

void t.test('the failure of a plugin is one sentence with the place in its source', async (t) => {
  const error = new Error('boom\n  twice')
  error.stack = [
    'Error: boom',
    '    at Module.f (/p/node_modules/x/index.js:1:1)',
    '    at async g (file:///p/main%20a.ts:3:7)',
    '    at h (/p/other.ts:9:9)',
  ].join('\n')
  t.equal(describeFailure(error, '/p/main a.ts').message, 'boom twice (/p/main a.ts:3:7)')
  t.equal(describeFailure(error, '/elsewhere/main.ts').message, 'boom twice')
  error.message = 'not used:\nfirst\nsecond'
  t.equal(describeFailure(error, '/elsewhere/main.ts').message, 'not used: first; second')
  t.strictSame(describeFailure('thrown', '/p/main.ts'), { message: 'thrown' })
})

void t.test('a plugin is found by its package.json, or by main.ts', async (t) => {
  const dir = t.testdir({
    plain: { 'main.ts': '' },
    named: {
      'package.json': '{"name":"@team/mine","vcluster-plugin":{"main":"src/start.ts"}}',
      src: { 'start.ts': '' },
    },
    lost: { 'package.json': '{"vcluster-plugin":{"main":"gone.ts"}}' },
    broken: { 'package.json': '{"name":' },
    empty: {},
  })
  t.match(await findPlugin(join(dir, 'plain')), { name: 'plain', entry: join(dir, 'plain/main.ts') })
  t.match(await findPlugin(join(dir, 'named')), { name: 'mine', entry: join(dir, 'named/src/start.ts') })
  const refused = (folder: string, message: RegExp) =>
    t.rejects(findPlugin(join(dir, folder)), { code: 'NO_PLUGIN', message })
  await refused('lost', /is gone\.ts, which does not exist$/)
  await refused('broken', /package\.json is not JSON: /)
  await refused('empty', /^there is no program in .*empty: add a main\.ts/)
  await refused('nowhere', /^there is no folder .*nowhere; pass the folder of a program$/)
  await refused('plain/main.ts', /main\.ts is a file; pass the folder of a program$/)
})

void t.test('the failure of sources that cannot be loaded shows the lines around the mistake', async (t) => {
  const dir = t.testdir({ 'main.ts': 'const a = 1\n\nif (a) {\n\tconst x = = 1\n}\n' })
  const file = join(dir, 'main.ts')
  const transform = new Error(`Transform failed with 1 error:\n${file}:4:11: ERROR: Unexpected "="`)
  transform.name = 'TransformError'
  const failed = describeFailure(transform, file)
  t.equal(failed.message, `${relative('.', file)}:4:11: Unexpected "="`)
  t.ok(failed.isUnloadable)
  t.equal(
    failed.frame,
    ['  2 |', '  3 | if (a) {', '> 4 | \tconst x = = 1', '    | \t          ^', '  5 | }', '  6 |'].join(
      '\n',
    ),
  )
  transform.name = 'Error'
  t.match(
    describeFailure(transform, file),
    { isUnloadable: true, frame: failed.frame },
    'as esbuild itself names it',
  )
  const gone = Object.assign(new Error('/gone/main.ts:4:11: ERROR: Unexpected "="'), {
    name: 'TransformError',
  })
  const { isUnloadable, frame } = describeFailure(gone, '/gone/main.ts')
  t.strictSame([isUnloadable, frame], [true, undefined])
})

void t.test('also a missing export and a missing module of the program cannot be loaded', async (t) => {
  const dir = t.testdir({
    'export.mjs': "import { nope } from './one.mjs'\nconsole.log(nope)\n",
    'module.mjs': "import './nowhere.mjs'\n",
    'near.mjs': "import './typed-syncer.js'\n",
    'hyphen.mjs': "import './typedsyncer.js'\n",
    'typed-syncers.ts': '',
    'package.mjs': "import 'no-such-package-of-anybody'\n",
    project: {
      'package.json': '{"dependencies":{"listed-but-not-installed":"1.0.0"}}',
      src: {
        'listed.mjs': "import 'listed-but-not-installed/part'\n",
        'unlisted.mjs': "import '@team/not-listed'\n",
      },
    },
    'later.mjs': "JSON.parse('{')\n",
    'one.mjs': 'export const one = 1\n',
  })
  const failure = async (name: string) => {
    const file = join(dir, name)
    const error = await import(file).catch((thrown: unknown) => thrown)
    return describeFailure(error, file)
  }
  const here = relative('.', dir)
  const missing = await failure('export.mjs')
  t.ok(missing.isUnloadable)
  t.match(
    missing.message,
    /^\.\/one\.mjs has no export nope; correct the name in the import \(.*\/export\.mjs:1\)$/,
  )
  t.match(missing.frame, /export\.mjs:1\nimport \{ nope \} from '\.\/one\.mjs'\n {9}\^/)
  const noModule = await failure('module.mjs')
  t.ok(noModule.isUnloadable)
  t.equal(
    noModule.message,
    `${here}/module.mjs imports ${here}/nowhere.mjs, which does not exist; correct the path in the import`,
  )
  t.match(
    (await failure('near.mjs')).message,
    /typed-syncer\.js, which does not exist; did you mean typed-syncers\.js\?$/,
  )
  t.match((await failure('hyphen.mjs')).message, /which does not exist; did you mean typed-syncers\.js\?$/)
  const notInstalled = await failure('package.mjs')
  t.equal(notInstalled.isUnloadable, undefined, 'which no save of a source mends')
  t.equal(
    notInstalled.message,
    `${here}/package.mjs imports the package no-such-package-of-anybody, which is not installed; run npm install no-such-package-of-anybody`,
  )
  const project = relative('.', join(dir, 'project'))
  const listed = await failure('project/src/listed.mjs')
  t.ok(listed.message.endsWith(`, which is not installed; run npm install --prefix ${project}`))
  const unlisted = await failure('project/src/unlisted.mjs')
  t.ok(unlisted.message.endsWith(`; run npm install --prefix ${project} @team/not-listed`))
  t.equal((await failure('later.mjs')).isUnloadable, undefined)
})
