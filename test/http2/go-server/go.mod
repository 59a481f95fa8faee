module http2-server

go 1.26
