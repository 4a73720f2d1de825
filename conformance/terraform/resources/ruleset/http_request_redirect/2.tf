variable "account_id" {}

resource "cloudflare_list" "moved" {
  account_id = var.account_id
  name       = "moved_pages"
  kind       = "redirect"
  items = [{
    redirect = {
      source_url  = "example.com/old"
      target_url  = "https://example.com/newer"
      status_code = 301
    }
  }]
}

resource "cloudflare_ruleset" "this" {
  account_id  = var.account_id
  name        = "http_request_redirect"
  description = "second"
  kind        = "root"
  phase       = "http_request_redirect"
  rules = [{
    expression = "http.request.full_uri in $moved_pages"
    action     = "redirect"
    action_parameters = {
      from_list = {
        name = cloudflare_list.moved.name
        key  = "http.request.full_uri"
      }
    }
  }]
}
