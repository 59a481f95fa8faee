// Tests `vcluster-plugin module build` and `module check` with programs of all sizes and with broken ones.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { AllowList } from '../sdk/modules/program/allow-list.js'
import { loadProgram } from '../sdk/modules/program/load-program.js'

const command = fileURLToPath(new URL('../bin/vcluster-plugin.js', import.meta.url))
const allowList = new AllowList({ allow: [] })
const folder = t.testdir({})

function run(
  args: readonly string[],
  cwd = folder,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [command, 'module', ...args], { cwd }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    )
  })
}

/** Writes a program that imports a helper, with a constant of some length in it. */
function writeProgram(name: string, constant = '', top = ''): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  const rule = `{ group: 'apps', resource: 'deployments', verbs: ['create', 'patch'], namespace: 'shop' }`
  writeFileSync(
    join(path, 'helper.ts'),
    `export const methods = { install() {}, uninstall() {}, sleep() {}, resume() {} }\n`,
  )
  writeFileSync(
    join(path, 'program.ts'),
    `import { methods } from './helper.js'
${top}
export const constant: string = ${JSON.stringify(constant)}
export default { name: 'My Shop', version: '1.4.0', sdk: '>=0.1 <1', permissions: [${rule}], newManager: () => methods }
`,
  )
  return path
}

const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')

void t.test('a built program is one file, in a ConfigMap that an operator can load', async (t) => {
  writeProgram('small', '', "console.log('loading')")
  const { code, stdout, stderr } = await run(['build', 'small', '--out', 'out', '-n', 'apps'])
  t.equal(stderr, 'the program prints: loading\n')
  t.equal(code, 0)
  const [, digest = ''] = /^digest {3}(sha256-\S+)$/m.exec(stdout) ?? []
  t.match(stdout, /^program {2}My Shop 1\.4\.0\nsize {5}\d+ bytes\n/)
  t.match(
    stdout,
    /^sdk {6}>=0\.1 <1 \(this is \d+\.\d+\.\d+\)\nmay {6}create, patch deployments\.apps in namespace shop$/m,
  )
  t.match(stdout, /^written {2}out\/program\.mjs, out\/module\.yaml, out\/configmap\.yaml$/m)
  t.match(stdout, /^sample {3}Module apps\/my-shop of Workspace apps\/default, which must exist/m)
  t.notMatch(read('out/program.mjs'), /^import /m)
  const configMap = parse(read('out/configmap.yaml'))
  t.match(configMap, {
    kind: 'ConfigMap',
    metadata: { name: 'my-shop-1-4-0', namespace: 'apps' },
    immutable: true,
  })
  const { content } = await loadProgram({ configMap, digest }, { allowList })
  t.equal(content.toString(), read('out/program.mjs'))
  t.strictSame(parse(read('out/module.yaml')), {
    apiVersion: 'batch.forkspacer.com/v1',
    kind: 'Module',
    metadata: { name: 'my-shop', namespace: 'apps' },
    spec: {
      workspace: { name: 'default', namespace: 'apps' },
      config: {},
      custom: { program: { configMap: { name: 'my-shop-1-4-0', namespace: 'apps', key: 'plugin' }, digest } },
    },
  })
  await run([
    ...['build', 'small', '--out', 'own', '-n', 'apps'],
    ...['--workspace', 'dev', '--program-namespace', 'mine-system'],
  ])
  t.equal(parse(read('own/configmap.yaml')).metadata.namespace, 'mine-system')
  t.match(parse(read('own/module.yaml')), {
    metadata: { namespace: 'apps' },
    spec: {
      workspace: { name: 'dev', namespace: 'apps' },
      custom: { program: { configMap: { namespace: 'mine-system' } } },
    },
  })
  const again = await run(['build', 'program.ts', '--out', '../again'], join(folder, 'small'))
  t.ok(again.stdout.includes(digest), 'the digest does not depend on the working directory')
  t.match(await run(['check', 'out/program.mjs', '--digest', digest]), {
    code: 0,
    stdout: /^program {2}My Shop 1\.4\.0$/m,
  })
})

void t.test('a larger program is stored as gzip; one that no ConfigMap holds, by its URL', async (t) => {
  writeProgram('medium', 'long text '.repeat(100_000))
  const medium = await run(['build', 'medium', '--out', 'sized'])
  t.match(medium, { code: 0, stdout: /^size {5}97\d KiB$/m, stderr: '' })
  const configMap = parse(read('sized/configmap.yaml'))
  t.strictSame(Object.keys(configMap.binaryData), ['plugin'])
  const { content } = await loadProgram({ configMap }, { allowList })
  t.equal(content.toString(), read('sized/program.mjs'))

  writeProgram('large', randomBytes(1_500_000).toString('base64'))
  const large = await run(['build', 'large', '--out', 'sized'])
  t.match(large, {
    code: 0,
    stderr: /too large for a ConfigMap, which holds 1 MiB: serve it by HTTPS, and set its URL in/,
  })
  t.notOk(existsSync(join(folder, 'sized/configmap.yaml')), 'that of the earlier build is removed')
  t.match(parse(read('sized/module.yaml')).spec.custom.program, { url: /^https:/, digest: /^sha256-/ })

  writeProgram('huge', 'x'.repeat(8 * 1024 * 1024))
  t.match(await run(['build', 'huge', '--out', 'none']), {
    code: 1,
    stderr: /huge has 8193 KiB with its imports, and an operator loads at most 8192 KiB/,
  })
  t.notOk(existsSync(join(folder, 'none')))
})

void t.test('what cannot be loaded is refused with one sentence', async (t) => {
  writeProgram('wrong', '', "throw new Error('no database')")
  mkdirSync(join(folder, 'empty'))
  writeFileSync(join(folder, 'page.mjs'), '<!doctype html>')
  writeFileSync(join(folder, 'config.json'), '{"name": "web"}')
  writeFileSync(join(folder, 'imports.mjs'), "import 'left-pad'\nexport const newManager = () => ({})")
  writeFileSync(join(folder, 'plain.mjs'), 'export const newManager = () => ({})')
  writeFileSync(
    join(folder, 'numbered.mjs'),
    "export default { name: 'shop', version: 1.4, newManager: () => ({}) }",
  )
  const table: [args: string[], stderr: RegExp][] = [
    [
      ['build', 'wrong', '--out', 'refused'],
      /^vcluster-plugin: refused\/program\.mjs is not a program for Modules: .*: no database\n$/,
    ],
    [
      ['build', 'empty'],
      /^vcluster-plugin: there is no program\.ts, program\.mjs, program\.js in empty; pass the file/,
    ],
    [['build', 'gone'], /^vcluster-plugin: gone does not exist;/],
    [['check', 'page.mjs'], /the content is a web page/],
    [
      ['check', 'config.json'],
      /^vcluster-plugin: config\.json is not a program for Modules: .*; pass the file that vcluster-plugin module build/,
    ],
    [['check', 'imports.mjs'], /a program is one file, with all its imports in it\n$/],
    [
      ['check', 'numbered.mjs'],
      /^vcluster-plugin: numbered\.mjs is not a program for Modules: .*version of the program must be a text, got 1\.4; write for example version: '1\.4\.0'\n$/,
    ],
    [['check', 'plain.mjs', '--digest', 'sha256:00'], /digest: must be sha256-<base64>/],
    [
      ['check', 'plain.mjs', '--digest', `sha256:${'0'.repeat(64)}`],
      /the digest is sha256-.*, expected sha256-AAAA/,
    ],
    [
      ['check', 'gone.mjs'],
      /^vcluster-plugin: there is no file gone\.mjs; correct the path, or build it with: /,
    ],
  ]
  await Promise.all(
    table.map(async ([args, expected]) =>
      t.match(await run(args), { code: 1, stdout: '', stderr: expected }, args.join(' ')),
    ),
  )
  t.match(await run(['check', 'plain.mjs']), {
    code: 0,
    stdout:
      /^sdk {6}any version \(this is \d+\.\d+\.\d+\); name those that it runs with in defineProgram, .*\nmay {6}everything that the operator may;/m,
  })
  t.match(await run([]), { code: 2, stderr: /The command is missing: build or check/ })
})
