// The steps of devspace.yaml, carried out as DevSpace does: build, install, upload, terminal, purge.
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { PodCase } from '../../node/cases/pod-case.js'
import { runHelm } from '../../node/helm-program.js'
import { buildImage, type Loose, type RealNode, runProgram } from '../../node/real-node.js'
import { until } from '../../until.js'
import { commandsOf } from '../documented.js'
import { withChartImages } from '../prepared.js'
import { eventually, missingVCluster, type RealVCluster, vclusterOf } from '../real-vcluster.js'
import { registryForPods } from '../registry-for-pods.js'
import { configMap } from './tenant.js'

const image = 'sync-all-configmaps:devspace'

export const devspace: PodCase = {
  title: 'the steps of devspace.yaml',
  skip: missingVCluster(),
  async run(t, node) {
    await withChartImages(node)
    const files = t.testdir()
    const { images, deployments, dev } = await configuration()
    const [up = '', start = '', down = ''] = commandsOf('devspace')
    const namespace = /^devspace dev -n (\S+)$/.exec(up)?.[1] ?? ''
    await node.load(await buildImage(image, '.', '--target', images.plugin.target))
    const { releaseName } = deployments.vcluster.helm
    await deployed(node, deployments.vcluster.helm, { namespace, files })
    const container = new DevContainer(node, { ...dev.plugin, namespace })
    await container.isRunning()

    await t.test(
      'the container idles, takes the sources, and the vcluster waits for the plugin',
      async (t) => {
        await container.upload('.')
        t.equal((await container.run('whoami')).trim(), 'root')
        const { status } = await container.pod()
        t.ok(status.containerStatuses.every(({ restartCount }: Loose) => restartCount === 0))
      },
    )
    const first = container.terminal(start)
    const vcluster = await vclusterOf(node, { name: releaseName, namespace, files })

    await t.test('the command of the terminal starts the plugin, and the vcluster opens', async (t) => {
      await copies(vcluster, 'first')
      t.match(await container.interrupted(first), 'registered with the vcluster process')
    })
    await t.test('an uploaded lockfile is installed in the container', async (t) => {
      const environment = await registryForPods(t, node)
      await container.run('touch', 'node_modules/before')
      await container.put('package-lock.json', await readFile('package-lock.json', 'utf8'))
      await container.uploaded('package-lock.json', environment)
      await t.rejects(container.run('ls', 'node_modules/before'), /No such file/)
    })
    await t.test('an uploaded change runs when the command is given again', async (t) => {
      const main = 'examples/sync-all-configmaps/main.ts'
      await container.put(main, `console.log('the changed program')\n${await readFile(main, 'utf8')}`)
      const second = container.terminal(start)
      await copies(vcluster, 'second')
      t.match(await container.interrupted(second), 'the changed program')
    })
    await t.test('the last command removes the vcluster', async (t) => {
      t.match(down, `devspace purge -n ${namespace}`)
      await runHelm(node, ['uninstall', releaseName, '-n', namespace, '--wait'])
      await until(async () => (await container.pod()) === undefined)
    })
  },
}

/** devspace.yaml with its variables replaced by their defaults, and the image by the built one. */
async function configuration(): Promise<Loose> {
  const text = await readFile('devspace.yaml', 'utf8')
  const vars: Record<string, { default: string }> = parse(text).vars
  const known = { ...Object.fromEntries(Object.entries(vars).map(([key, value]) => [key, value.default])) }
  return parse(
    text.replace(/\$\{([\w.]+)\}/g, (_, key) =>
      key === 'runtime.images.plugin' ? image : (known[key] ?? ''),
    ),
  )
}

/** Installs the release as DevSpace does, which does not wait. */
async function deployed(
  node: RealNode,
  { releaseName, chart, valuesFiles, values }: Loose,
  { namespace, files }: { namespace: string; files: string },
): Promise<void> {
  const folder = process.env.VCLUSTER_CHART ?? ''
  if (basename(folder) !== chart.version)
    throw new Error(`devspace.yaml installs ${chart.version}, not ${folder}`)
  const own = join(files, 'values.yaml')
  await writeFile(own, stringify(values))
  const all = ['test/vcluster/values.yaml', ...valuesFiles, own].flatMap((file) => ['--values', file])
  await runHelm(node, [
    'upgrade',
    '--install',
    releaseName,
    folder,
    '-n',
    namespace,
    '--create-namespace',
    ...all,
  ])
}

async function copies(vcluster: RealVCluster, name: string): Promise<void> {
  await eventually(() => vcluster.apply(configMap(name, name)))
  await eventually(() => vcluster.host('configmap', `${name}-x-default-x-${vcluster.name}`))
}

/** The container of a section `dev`, as DevSpace uses it. */
class DevContainer {
  readonly #node: RealNode
  readonly #dev: Loose

  constructor(node: RealNode, dev: Loose) {
    this.#node = node
    this.#dev = dev
  }

  async pod(): Promise<Loose> {
    const selector = Object.entries(this.#dev.labelSelector).map(([key, value]) => `${key}=${value}`)
    return (await this.#node.get('-n', this.#dev.namespace, 'pods', '-l', selector.join(','))).items[0]
  }

  isRunning(): Promise<void> {
    const isOurs = ({ name, state }: Loose) => name === this.#dev.container && state.running !== undefined
    return until(async () => (await this.pod()).status.containerStatuses.some(isOurs))
  }

  async run(...command: string[]): Promise<string> {
    return this.#node.kubectl(...(await this.#exec()), ...command)
  }

  /** Uploads a folder without the excluded paths. */
  async upload(folder: string): Promise<void> {
    const [{ path, excludePaths }] = this.#dev.sync
    const excluded = excludePaths.map((one: string) => `--exclude=./${one.replace(/\/$/, '')}`)
    const file = join(await runProgram('mktemp', ['-d']).then((text) => text.trim()), 'upload.tar')
    await runProgram('tar', ['-cf', file, '-C', folder, ...excluded, '.'])
    const exec = [...(await this.#exec('-i')), 'tar', '-xf', '-', '-C', path.split(':')[1]]
    await this.#node.run('sh', ['-c', `kubectl ${exec.join(' ')} <${file} && rm ${file}`])
  }

  /** Uploads one file. */
  async put(file: string, text: string): Promise<void> {
    const at = join(this.#dev.terminal.workDir, file)
    await this.#node.run('kubectl', [...(await this.#exec('-i')), 'sh', '-c', `cat >${at}`], text)
  }

  /** Runs the command for a file that was uploaded. */
  async uploaded(file: string, environment: Record<string, string>): Promise<void> {
    const isFor = ({ onChange }: Loose) => onChange.includes(file)
    const { command } = this.#dev.sync[0].onUpload.exec.find(isFor)
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    await this.run('env', ...variables, 'sh', '-c', command)
  }

  /** Gives a command in the terminal. Resolves with what it prints when it has ended. */
  async terminal(command: string): Promise<string> {
    const { workDir } = this.#dev.terminal
    const script = `sh -c 'cd ${workDir} && echo $$ >/tmp/terminal && exec ${command}' 2>&1; true`
    return this.#node.kubectl(...(await this.#exec()), 'sh', '-c', script)
  }

  /** Ends what was started in the terminal, as Ctrl-C does, and returns what it printed. */
  async interrupted(running: Promise<string>): Promise<string> {
    await this.run('sh', '-c', 'kill -INT $(cat /tmp/terminal)')
    return running
  }

  async #exec(...flags: string[]): Promise<string[]> {
    const { namespace, container } = this.#dev
    return ['-n', namespace, 'exec', ...flags, (await this.pod()).metadata.name, '-c', container, '--']
  }
}
