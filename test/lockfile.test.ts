import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { programPackage } from '../cli/create/templates/package-files.js'

interface LockedPackage {
  integrity?: string
  dev?: boolean
  hasInstallScript?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
  resolved?: string
}

type Packages = Record<string, LockedPackage>

async function checkLockfile(t: Test, packages: Packages): Promise<void> {
  await t.test('npm ci works on every platform: it has the packages of all platforms', async (t) => {
    for (const [parent, { optionalDependencies = {} }] of Object.entries(packages)) {
      const missing = Object.keys(optionalDependencies).filter(
        (name) => !packages[`${parent}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      )
      if (parent !== '') t.same(missing, [], `${parent} misses no optional dependency`)
    }
  })

  await t.test('it has no download addresses, so any registry works', async (t) => {
    t.same(
      Object.entries(packages).filter(([, { resolved }]) => resolved?.startsWith('http')),
      [],
    )
  })

  await t.test('it verifies downloads, in CI and for users', async (t) => {
    const unchecked = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && !integrity)
    const names = (of: typeof unchecked) => of.map(([path]) => path)
    t.same(names(unchecked.filter(([, one]) => isInstalledInCi(one))), [], 'no package of CI is unverified')
    t.same(names(unchecked.filter(([, { dev }]) => !dev)), [], 'no dependency of the package is unverified')
    t.same(names(unchecked.filter(([, { optional }]) => !optional)), [], 'no package is unverified')
  })
}

const isFor = (names: readonly string[] | undefined, own: string) =>
  names === undefined || names.includes(own)

/** Whether npm installs a package on the machines that CI runs on. */
function isInstalledInCi({ os, cpu, libc }: LockedPackage): boolean {
  return isFor(os, 'linux') && isFor(cpu, 'x64') && isFor(libc, 'glibc')
}

for (const folder of ['', 'scripts/tools/']) {
  const { packages } = JSON.parse(readFileSync(`${folder}package-lock.json`, 'utf8')) as {
    packages: Packages
  }
  void t.test(`${folder}package-lock.json`, (t) => checkLockfile(t, packages))
}

void t.test('created projects deny every script that the installation of a package would run', (t) => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Packages }
  const scripts = Object.entries(packages).filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)
  const { allowScripts } = JSON.parse(
    programPackage({ name: 'mine', packages: {}, dependencies: ['vcluster-plugin-sdk'] }),
  )
  t.strictSame(
    allowScripts,
    Object.fromEntries(scripts.map(([path]) => [path.replace(/.*node_modules\//, ''), false])),
  )
  t.end()
})
