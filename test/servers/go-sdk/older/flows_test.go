// Package older has the flows with the client on which version 4 of the Terraform provider is built. It is asked over
// TLS, because that provider does nothing else. CLOUDFLARE_TLS_URL names the API.
package older

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cloudflare/cloudflare-go"
)

const (
	owasp     = "4814384a9e5d4991b9815dcfc25d2f1f"
	scoreRule = "6179ae15870a4bb7b2d480d4843b323c"
	managed   = "http_request_firewall_managed"
)

var (
	ctx     = context.Background()
	account = cloudflare.AccountIdentifier(os.Getenv("ACCOUNT"))
)

func clientWith(t *testing.T, token string) *cloudflare.API {
	t.Helper()
	client, err := cloudflare.NewWithAPIToken(token, cloudflare.BaseURL(os.Getenv("CLOUDFLARE_TLS_URL")))
	check(t, err)
	return client
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%v and not %v", got, want)
	}
}

// newZone makes a zone as `cloudflare_zone` does, and deletes it after the test.
func newZone(t *testing.T, client *cloudflare.API, name string) *cloudflare.ResourceContainer {
	t.Helper()
	zone, err := client.CreateZone(ctx, name, false, cloudflare.Account{ID: account.Identifier}, "full")
	check(t, err)
	t.Cleanup(func() {
		_, err := client.DeleteZone(ctx, zone.ID)
		check(t, err)
	})
	return cloudflare.ZoneIdentifier(zone.ID)
}

func TestZonesAndRulesets(t *testing.T) {
	client := clientWith(t, os.Getenv("CLOUDFLARE_API_TOKEN"))
	zone := newZone(t, client, "older-rules.test")
	named, err := client.ListZones(ctx, "older-rules.test")
	check(t, err)
	equal(t, named[0].ID, zone.Identifier)
	no := false
	overrides := &cloudflare.RulesetRuleActionParametersOverrides{
		Categories: []cloudflare.RulesetRuleActionParametersCategories{{Category: "paranoia-level-4", Enabled: &no}},
		Rules:      []cloudflare.RulesetRuleActionParametersRules{{ID: scoreRule, Action: "block", ScoreThreshold: 25}},
	}
	rule := cloudflare.RulesetRule{
		Action:           "execute",
		Expression:       "true",
		ActionParameters: &cloudflare.RulesetRuleActionParameters{ID: owasp, Overrides: overrides},
	}
	update := cloudflare.UpdateEntrypointRulesetParams{Phase: managed, Rules: []cloudflare.RulesetRule{rule}}
	_, err = client.UpdateEntrypointRuleset(ctx, zone, update)
	check(t, err)
	found, err := client.GetEntrypointRuleset(ctx, zone, managed)
	check(t, err)
	equal(t, found.Rules[0].ActionParameters.Overrides.Rules[0].ScoreThreshold, 25)
	check(t, client.DeleteRuleset(ctx, zone, found.ID))
	_, err = client.GetEntrypointRuleset(ctx, zone, managed)
	var absent *cloudflare.NotFoundError
	equal(t, errors.As(err, &absent), true)
}

func TestAJobWithAFilter(t *testing.T) {
	client := clientWith(t, os.Getenv("CLOUDFLARE_API_TOKEN"))
	zone := newZone(t, client, "older-jobs.test")
	job := func(field string) (*cloudflare.LogpushJob, error) {
		where := cloudflare.LogpushJobFilter{Key: field, Operator: cloudflare.GreaterThanOrEqual, Value: 400}
		return client.CreateLogpushJob(ctx, zone, cloudflare.CreateLogpushJobParams{
			Dataset:         "http_requests",
			DestinationConf: "file://" + os.Getenv("FILES") + "/{DATE}",
			Filter:          &cloudflare.LogpushJobFilters{Where: where},
			OutputOptions:   &cloudflare.LogpushOutputOptions{FieldNames: []string{"RayID"}},
		})
	}
	made, err := job("EdgeResponseStatus")
	check(t, err)
	equal(t, made.Filter.Where.Key, "EdgeResponseStatus")
	_, err = job("NoField")
	equal(t, err != nil && strings.Contains(err.Error(), `no field "NoField"`), true)
	check(t, client.DeleteLogpushJob(ctx, zone, made.ID))
}

func TestAListWithItems(t *testing.T) {
	client := clientWith(t, os.Getenv("CLOUDFLARE_API_TOKEN"))
	list, err := client.CreateList(ctx, account, cloudflare.ListCreateParams{Name: "older", Kind: "ip"})
	check(t, err)
	address := "192.0.2.1"
	// The client asks for the state of the bulk operation until it ends.
	items, err := client.CreateListItem(ctx, account, cloudflare.ListCreateItemParams{
		ID: list.ID, Item: cloudflare.ListItemCreateRequest{IP: &address, Comment: "home"},
	})
	check(t, err)
	equal(t, *items[0].IP, address)
	_, err = client.DeleteList(ctx, account, list.ID)
	check(t, err)
}

func TestATokenIsMadeVerifiedRolledAndDeleted(t *testing.T) {
	client := clientWith(t, os.Getenv("CLOUDFLARE_API_TOKEN"))
	groups, err := client.ListAPITokensPermissionGroups(ctx)
	check(t, err)
	policy := cloudflare.APITokenPolicies{
		Effect:    "allow",
		Resources: map[string]any{"com.cloudflare.api.account.zone.*": "*"},
	}
	for _, group := range groups {
		if group.Name == "Zone Read" {
			policy.PermissionGroups = append(policy.PermissionGroups, group)
		}
	}
	made, err := client.CreateAPIToken(ctx, cloudflare.APIToken{
		Name: "older", Policies: []cloudflare.APITokenPolicies{policy},
	})
	check(t, err)
	found, err := clientWith(t, made.Value).VerifyAPIToken(ctx)
	check(t, err)
	equal(t, found.ID, made.ID)
	value, err := client.RollAPIToken(ctx, made.ID)
	check(t, err)
	_, err = clientWith(t, made.Value).VerifyAPIToken(ctx)
	equal(t, err != nil, true)
	found, err = clientWith(t, value).VerifyAPIToken(ctx)
	check(t, err)
	equal(t, found.Status, "active")
	check(t, client.DeleteAPIToken(ctx, made.ID))
}
