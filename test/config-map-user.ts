import { execFile, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { promisify } from 'node:util'
import { parse } from 'yaml'

/** The parts of a ConfigMap that these tests use. */
export interface TestConfigMap {
  metadata: { namespace: string; name: string; uid?: string; annotations?: Record<string, string> }
  data?: Record<string, string>
}

/** A user of the ConfigMaps of one cluster, who has only its kubeconfig file. */
export interface ConfigMapUser {
  create(configMap: TestConfigMap): Promise<void>
  replace(configMap: TestConfigMap): Promise<void>
  /** Undefined if it does not exist. */
  get(namespace: string, name: string): Promise<TestConfigMap | undefined>
  remove(namespace: string, name: string): Promise<void>
}

/** Uses kubectl if it is on the PATH, otherwise plain HTTPS. */
export function configMapUser(kubeconfig: string): ConfigMapUser {
  return hasKubectl() ? new KubectlUser(kubeconfig) : new HttpsUser(kubeconfig)
}

function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' })
    return true
  } catch {
    // kubectl is not there.
    return false
  }
}

const withType = (configMap: TestConfigMap) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...configMap })

class KubectlUser implements ConfigMapUser {
  readonly #kubeconfig: string

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig
  }

  create(configMap: TestConfigMap): Promise<void> {
    return this.#send('create', configMap)
  }

  replace(configMap: TestConfigMap): Promise<void> {
    return this.#send('replace', configMap)
  }

  async get(namespace: string, name: string): Promise<TestConfigMap | undefined> {
    const args = ['get', 'configmap', name, '-n', namespace, '-o', 'json', '--ignore-not-found']
    const { stdout } = await promisify(execFile)('kubectl', this.#withConfig(args))
    return stdout === '' ? undefined : JSON.parse(stdout)
  }

  async remove(namespace: string, name: string): Promise<void> {
    await promisify(execFile)('kubectl', this.#withConfig(['delete', 'configmap', name, '-n', namespace]))
  }

  #send(verb: string, configMap: TestConfigMap): Promise<void> {
    return new Promise((resolve, reject) => {
      const kubectl = spawn('kubectl', this.#withConfig([verb, '-f', '-']), {
        stdio: ['pipe', 'ignore', 'inherit'],
      })
      kubectl.once('error', reject)
      kubectl.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`kubectl ${verb} exited with ${code}`)),
      )
      kubectl.stdin.end(JSON.stringify(withType(configMap)))
    })
  }

  #withConfig(args: readonly string[]): string[] {
    return ['--kubeconfig', this.#kubeconfig, '--cache-dir', `${this.#kubeconfig}.cache`, ...args]
  }
}

class HttpsUser implements ConfigMapUser {
  readonly #server: string
  readonly #tls: { ca: Buffer; cert: Buffer; key: Buffer }

  constructor(kubeconfig: string) {
    const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'))
    const { cluster } = clusters[0]
    const { user } = users[0]
    const decoded = (text: string) => Buffer.from(text, 'base64')
    this.#server = cluster.server
    this.#tls = {
      ca: decoded(cluster['certificate-authority-data']),
      cert: decoded(user['client-certificate-data']),
      key: decoded(user['client-key-data']),
    }
  }

  async create(configMap: TestConfigMap): Promise<void> {
    await this.#call('POST', pathOf(configMap.metadata.namespace), configMap)
  }

  async replace(configMap: TestConfigMap): Promise<void> {
    const { namespace, name } = configMap.metadata
    await this.#call('PUT', pathOf(namespace, name), configMap)
  }

  async get(namespace: string, name: string): Promise<TestConfigMap | undefined> {
    const { status, body } = await this.#call('GET', pathOf(namespace, name))
    return status === 404 ? undefined : JSON.parse(body)
  }

  async remove(namespace: string, name: string): Promise<void> {
    await this.#call('DELETE', pathOf(namespace, name))
  }

  #call(method: string, path: string, configMap?: TestConfigMap): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const call = request(this.#server + path, { method, headers, ...this.#tls }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => {
          const status = response.statusCode ?? 0
          if (status < 400 || status === 404) resolve({ status, body })
          else reject(new Error(`${method} ${path}: ${status} ${body}`))
        })
      })
      call.once('error', reject)
      call.end(configMap && JSON.stringify(withType(configMap)))
    })
  }
}

const pathOf = (namespace: string, name?: string) =>
  `/api/v1/namespaces/${namespace}/configmaps${name === undefined ? '' : `/${name}`}`
