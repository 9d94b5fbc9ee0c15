module example-go

go 1.21
