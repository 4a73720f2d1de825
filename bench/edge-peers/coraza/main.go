// A reverse proxy with Coraza, as its documentation writes it.
// Arguments: the address to listen on, the URL of the origin, the file of the rules.
package main

import (
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"

	"github.com/corazawaf/coraza/v3"
	corazahttp "github.com/corazawaf/coraza/v3/http"
)

func main() {
	address, origin, rules := os.Args[1], os.Args[2], os.Args[3]
	target, err := url.Parse(origin)
	if err != nil {
		log.Fatal(err)
	}
	waf, err := coraza.NewWAF(coraza.NewWAFConfig().WithDirectivesFromFile(rules))
	if err != nil {
		log.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:   func(request *httputil.ProxyRequest) { request.SetURL(target) },
		Transport: &http.Transport{MaxIdleConnsPerHost: 128},
	}
	log.Fatal(http.ListenAndServe(address, corazahttp.WrapHandler(waf, proxy)))
}
