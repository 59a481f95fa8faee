/** The maturity of a plugin. */
export type Maturity = 'alpha' | 'beta' | 'stable'

/** The metadata of a plugin. */
export interface PluginMetadata {
  /**
   * The name that Clusters use: a DNS name of at most 63 characters. It must equal the label `cnpg.io/pluginName` of
   * the Service, or the name of the socket.
   */
  name: string
  version: string
  /** Default the name. */
  displayName?: string
  description?: string
  projectUrl?: string
  repositoryUrl?: string
  /** For example `Apache-2.0`. */
  license?: string
  licenseUrl?: string
  /** Default `alpha`. */
  maturity?: Maturity
  vendor?: string
}
