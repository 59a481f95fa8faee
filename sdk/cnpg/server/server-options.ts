/** Files of certificates, PEM. They are read again when they change. */
export interface TlsFiles {
  /** The certificate of the server: `tls.crt` of the Secret that the operator trusts. */
  readonly certificate: string
  readonly key: string
  /** The authority of the operator's certificate, or that certificate itself if it is self-signed. */
  readonly clientAuthority: string
}

/** The place to listen: on a socket in a folder, or on an address with mutual TLS. */
export type ListenOptions =
  | { readonly socketFolder: string }
  | { readonly address: string; readonly tls: TlsFiles }
