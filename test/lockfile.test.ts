import { readFileSync } from 'node:fs'
import t from 'tap'

interface LockedPackage {
  integrity?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
  resolved?: string
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}

void t.test('npm ci works on every platform: the lockfile has the packages of all platforms', async (t) => {
  for (const [parent, { optionalDependencies = {} }] of Object.entries(packages)) {
    const missing = Object.keys(optionalDependencies).filter(
      (name) => !packages[`${parent}/node_modules/${name}`] && !packages[`node_modules/${name}`],
    )
    if (parent !== '') t.same(missing, [], `${parent} misses no optional dependency`)
  }
})

void t.test('the lockfile has no download addresses, so any registry works', async (t) => {
  t.same(
    Object.entries(packages).filter(([, { resolved }]) => resolved?.startsWith('http')),
    [],
  )
})

const isFor = (names: readonly string[] | undefined, own: string) =>
  names === undefined || names.includes(own)

/** Whether npm installs a package on the machines that CI runs on. */
function isInstalledInCi({ os, cpu, libc }: LockedPackage): boolean {
  return isFor(os, 'linux') && isFor(cpu, 'x64') && isFor(libc, 'glibc')
}

void t.test('downloads are verified by the lockfile, in CI and for users', async (t) => {
  const unchecked = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && !integrity)
  const names = (of: typeof unchecked) => of.map(([path]) => path)
  t.same(names(unchecked.filter(([, one]) => isInstalledInCi(one))), [], 'no package of CI is unverified')
  t.same(names(unchecked.filter(([, { dev }]) => !dev)), [], 'no dependency of the package is unverified')
  t.same(names(unchecked.filter(([, { optional }]) => !optional)), [], 'no package is unverified')
})
