# says: "pointer":"/policies/0/permission_groups/0/id"
# says: there is no such permission group; GET /user/tokens/permission_groups lists them

resource "cloudflare_api_token" "this" {
  name = "wrong group"
  policies = [{
    effect            = "allow"
    permission_groups = [{ id = "0123456789abcdef0123456789abcdef" }]
    resources         = jsonencode({ "com.cloudflare.api.account.zone.*" = "*" })
  }]
}
