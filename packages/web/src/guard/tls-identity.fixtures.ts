/**
 * A self-signed certificate for `secure.test` and its key, made for tests and used nowhere else:
 * `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj '/CN=Citewell tests'
 * -addext 'subjectAltName=DNS:secure.test,DNS:*.secure.test,DNS:localhost,IP:127.0.0.1'`
 */
export const TEST_IDENTITY = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvcE1zabBa2mgL+LS
AlneB6zkPIfVc/8z6n+DID7wRPmhRANCAARhC33w+2gV7Z1bjdP8tsrY7oK5Ef5s
2ez1ZFO3YFayyaZ42iCKQM1hKi3M8jq660ckFj98brpEkm5i8z2eSG3/
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBwjCCAWmgAwIBAgIUUWjPxwBV0YnNNrTnRBod8XQK8M0wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOQ2l0ZXdlbGwgdGVzdHMwIBcNMjYxMTIwMjE1NTQwWhgPMjEy
NjEwMjcyMTU1NDBaMBkxFzAVBgNVBAMMDkNpdGV3ZWxsIHRlc3RzMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEYQt98PtoFe2dW43T/LbK2O6CuRH+bNns9WRTt2BW
ssmmeNogikDNYSotzPI6uutHJBY/fG66RJJuYvM9nkht/6OBjDCBiTAdBgNVHQ4E
FgQU1Pv3TxALgXACbe57++U6P+p6EYQwHwYDVR0jBBgwFoAU1Pv3TxALgXACbe57
++U6P+p6EYQwDwYDVR0TAQH/BAUwAwEB/zA2BgNVHREELzAtggtzZWN1cmUudGVz
dIINKi5zZWN1cmUudGVzdIIJbG9jYWxob3N0hwR/AAABMAoGCCqGSM49BAMCA0cA
MEQCIBfTyj3ThmpOvoOs6hpbRDFmlu3KQZAAK/vRPuEMOWtJAiB9UmK/eOEORDmk
lBG53+8o99ALWKOJf0SvfDXxWjQgvA==
-----END CERTIFICATE-----
`,
};
